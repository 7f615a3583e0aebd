/** How a link, such as the one in a QR code, tells the code of an order: in the fragment, which no server is sent. */
const IN_FRAGMENT = /^#code=(\d{6})$/;

export const codeLink = (origin: string, orderId: string, code: string): string =>
  `${origin}/dashboard/orders/${orderId}#code=${code}`;

/** Codes that links told, by order: signing in on the way loses the fragment. */
const kept = new Map<string, string>();

/** Takes note of the code in the fragment of an order's address. */
export const keepCode = (orderId: string, hash: string): void => {
  const code = IN_FRAGMENT.exec(hash)?.[1];
  if (code !== undefined) kept.set(orderId, code);
};

/** The code that a link told of an order; empty where none did. */
export const keptCode = (orderId: string): string => kept.get(orderId) ?? '';
