import type { Role } from '#contract/users/identity.ts';

/** An account of the demo shop that anybody may try; its password is printed when the shop opens. */
export interface DemoAccount {
  readonly label: string;
  readonly email: string;
  readonly password: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly verified: boolean;
}

/** One of each role, in the demo shop only. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  {
    label: 'Buyer',
    email: 'buyer@example.com',
    password: 'Buyer#2026',
    name: 'Nora Lindqvist',
    roles: ['buyer'],
    verified: false,
  },
  {
    label: 'Seller',
    email: 'seller@example.com',
    password: 'Seller#2026',
    name: 'Marlow Books',
    roles: ['seller'],
    verified: true,
  },
  {
    label: 'Admin',
    email: 'admin@example.com',
    password: 'Admin#2026',
    name: 'Iris Okafor',
    roles: ['admin'],
    verified: false,
  },
];
