import { format } from 'oxfmt';

/** A page of Markdown as `npm run format` leaves it, with the widths of `.oxfmtrc.json`. */
export const formatMarkdown = async (page: string): Promise<string> => {
  const { code, errors } = await format('page.md', page, { printWidth: 120, proseWrap: 'always' });
  if (errors[0] !== undefined) throw new Error(errors[0].message);
  return code;
};
