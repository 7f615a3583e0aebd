import { data } from 'react-router';
import type { LoadFailure } from './load.ts';

const refuse = (): never => {
  const failure: LoadFailure = {
    message: 'There is no page at this address. It may have been a bookmark that came loose.',
    code: 'not_found',
    requestId: undefined,
  };
  throw data(failure, { status: 404 });
};

export const loader = refuse;
export const clientLoader = refuse;

/** Never drawn: every address that leads here is answered by the error page. */
const NotFound = () => null;
export default NotFound;
