import { pathOf, type CallableSpec } from '#contract/endpoint.ts';
import { refusalOf } from './answer.ts';
import { ApiError } from './api-error.ts';
import { usableToken } from './call.ts';
import { unanswered } from './fetch-transport.ts';
import { renewToken } from './session.ts';

/**
 * Fetches a file of the API as whoever is signed in, named as the shop says, if it does; throws an `ApiError` when it
 * is refused or not answered.
 */
export const callFile = async (
  spec: CallableSpec,
  query: Record<string, string> = {},
  params: Record<string, string> = {},
): Promise<File> => {
  const fetchAs = (token: string | undefined): Promise<Response> =>
    fetch(`/api${pathOf(spec, { params, query })}`, {
      method: spec.method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
  try {
    const first = await fetchAs(await usableToken());
    const response = first.status === 401 ? await fetchAs(await renewToken()) : first;
    const header = (name: string): string | null => response.headers.get(name);
    if (response.ok) {
      const [, name = ''] = /filename="([^"]+)"/.exec(header('content-disposition') ?? '') ?? [];
      const file = await response.blob();
      return new File([file], name, { type: file.type });
    }
    throw refusalOf({ status: response.status, header, body: await response.text() });
  } catch (error) {
    throw error instanceof ApiError ? error : unanswered(error, undefined);
  }
};
