/** Nothing in an answer that is no page is run, shown in a frame or loaded from. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/** Two years, as browsers' preload lists ask. */
const HSTS = 'max-age=63072000; includeSubDomains';

/** What no page of the shop asks for; `payment` is for the fields of the payment provider. */
export const PERMISSIONS =
  'accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), payment=(self), usb=()';

/** The headers of every answer, whoever writes it; pages put their own policy over the closed one. */
export const securityHeaders = (https: boolean): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': PERMISSIONS,
  'content-security-policy': CLOSED_POLICY,
  'x-frame-options': 'DENY',
  ...(https && { 'strict-transport-security': HSTS }),
});
