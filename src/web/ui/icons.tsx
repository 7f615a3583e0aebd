import type { ReactNode } from 'react';

export interface IconProps {
  className?: string;
}

/** All icons are drawn on 24 by 24 with one stroke and say nothing by themselves: the text beside them does. */
export const icon = (children: ReactNode) => {
  const Icon = ({ className = 'size-5' }: IconProps) => (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
  return Icon;
};

export const CloseIcon = icon(<path d="M6 6l12 12M18 6L6 18" />);
export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />);
export const CheckIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M8 12.5l2.8 2.8L16 9.5" />
  </>,
);
export const OfflineIcon = icon(
  <path d="M4 4l16 16M2 9a14 14 0 0 1 20 0M5 12.5a10 10 0 0 1 14 0M8.5 16a5 5 0 0 1 7 0M12 19.5v.01" />,
);
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11v5M12 8v.01" />
  </>,
);
export const WarningIcon = icon(<path d="M12 4L2.8 19.5h18.4zM12 10v4M12 17v.01" />);
export const BookIcon = icon(
  <path d="M12 6.5C10 5 7 4.5 3.5 4.8v13.4C7 17.9 10 18.4 12 20c2-1.6 5-2.1 8.5-1.8V4.8C17 4.5 14 5 12 6.5zM12 6.5V20" />,
);
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6l1.4 1.4M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4" />
  </>,
);
export const MoonIcon = icon(<path d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z" />);
export const PinIcon = icon(
  <>
    <path d="M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21z" />
    <circle cx="12" cy="9.5" r="2.5" />
  </>,
);
export const SearchIcon = icon(<path d="M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4" />);
export const MailIcon = icon(
  <>
    <rect x="3" y="5.5" width="18" height="13" rx="2" />
    <path d="M4 7l8 6 8-6" />
  </>,
);
export const PhoneIcon = icon(<path d="M7 3h10v18H7zM11 18h2" />);
