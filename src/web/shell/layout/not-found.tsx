import { throwMissing } from '#web/shell/data/load.ts';

const refuse = (): never =>
  throwMissing({
    message: 'There is no page at this address. It may have been a bookmark that came loose.',
    next: { to: '/search', label: 'Search for a book' },
  });

export const loader = refuse;
export const clientLoader = refuse;

/** Never drawn: every address that leads here is answered by the error page. */
const NotFound = () => null;
export default NotFound;
