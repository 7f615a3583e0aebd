import { createContext } from 'react';

/** The nonce of this rendering, for the inline scripts of the document; undefined in the browser, which hides it. */
export const NonceContext = createContext<string | undefined>(undefined);
