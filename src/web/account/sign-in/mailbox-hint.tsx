/** In a demo shop, where its mail can be read: none leaves the machine. */
export const MailboxHint = ({ path }: { path: string | null }) =>
  path === null ? null : (
    <p className="mt-2">
      This is a demo shop, and no mail leaves it. Read it in{' '}
      <a href={path} rel="external" className="text-link">
        its own mailbox
      </a>
      .
    </p>
  );
