import { MailIcon, PhoneIcon, PinIcon } from '#web/ui/icons.tsx';
import { DemoClock } from './demo-clock.tsx';
import { Logo } from './logo.tsx';
import { CONTACT_EMAIL } from './places.ts';

const SOCIAL = [
  { href: 'https://www.instagram.com/', label: 'Instagram' },
  { href: 'https://www.facebook.com/', label: 'Facebook' },
  { href: 'https://www.youtube.com/', label: 'YouTube' },
] as const;

const HELP = [
  { to: '/#faq', label: 'F.A.Q' },
  { to: '/#privacy', label: 'Privacy Policy' },
  { to: '/#terms', label: 'Terms & Conditions' },
] as const;

/** What the shop is, how to reach it, and the small print. Contacts are placeholders. */
export const Footer = () => (
  <footer className="site-footer print:hidden mt-8 border-t border-base-300 bg-base-100 text-sm sm:mt-16">
    <div className="page grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-x-8 gap-y-6 py-8 sm:grid-cols-2 sm:gap-y-8 sm:py-10 lg:grid-cols-4">
      <div className="flex flex-col gap-3 max-sm:col-span-full lg:pr-8">
        <Logo />
        <p className="text-muted">
          A second-hand book store where readers pass books on. Find your favourite used books in the best condition, at
          low prices.
        </p>
      </div>
      <div className="max-sm:col-span-full">
        <h2 className="mb-2 font-semibold">Contact</h2>
        <address className="flex flex-col gap-1 not-italic">
          <a href="tel:+15550100199">
            <PhoneIcon className="mr-2 inline size-4 text-muted" />
            +1 555 010 0199
          </a>
          <a href={`mailto:${CONTACT_EMAIL}`}>
            <MailIcon className="mr-2 inline size-4 text-muted" />
            {CONTACT_EMAIL}
          </a>
          <span className="py-1">
            <PinIcon className="mr-2 inline size-4 text-muted" />
            12 Paper Lane, Portland
          </span>
        </address>
      </div>
      <nav aria-label="Help">
        <h2 className="mb-2 font-semibold">Help</h2>
        <ul>
          {HELP.map((item) => (
            <li key={item.to}>
              <a href={item.to}>{item.label}</a>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Social">
        <h2 className="mb-2 font-semibold">Follow us</h2>
        <ul>
          {SOCIAL.map((item) => (
            <li key={item.href}>
              <a href={item.href} rel="noreferrer">
                {item.label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
    <DemoClock />
    <p className="page border-t border-base-300 py-5 text-muted">Copyright © 2026 Dogear. All rights reserved.</p>
  </footer>
);
