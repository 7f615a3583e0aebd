import type { ComponentType } from 'react';
import type { Provider } from '#contract/users/social.ts';

const Google = () => (
  <svg viewBox="0 0 24 24" className="size-5 shrink-0" fill="none" strokeWidth="4" aria-hidden="true">
    <path d="M17.66 6.34A8 8 0 0 0 5.07 8" stroke="#ea4335" />
    <path d="M5.07 8a8 8 0 0 0 0 8" stroke="#fbbc05" />
    <path d="M5.07 16a8 8 0 0 0 12.07 2.13" stroke="#34a853" />
    <path d="M17.14 18.13A8 8 0 0 0 20 12h-8" stroke="#4285f4" />
  </svg>
);

const Github = () => (
  <svg viewBox="0 0 24 24" className="size-5 shrink-0" fill="none" aria-hidden="true">
    <circle cx="12" cy="12" r="11" className="fill-base-content" />
    <path
      d="M7 6.6c1.2.1 2.2.6 3 1.2a8 8 0 0 1 4 0c.8-.6 1.800-1.100 3-1.200.5 1.200.5 2.300.2 3.200a5 5 0 0 1 1 3c0 3.400-2.500 4.500-5.200 4.700.5.5.8 1.200.8 2.100V22h-3.600v-2.400c-1.700.3-2.600-.4-3.200-1.500-.3-.6-.7-.9-1.200-1.100.9-.5 1.700 0 2.200.8.5.7 1.100 1 2.200.700.1-.5.300-.800.600-1.100-2.700-.200-5-1.300-5-4.600a5 5 0 0 1 1-3c-.300-.900-.300-2 .2-3.200Z"
      className="fill-base-100"
    />
  </svg>
);

/** The services' marks beside their names. */
export const SERVICE_ICONS: Record<Provider, ComponentType> = { google: Google, github: Github };
