import { THEME_COLORS } from './theme-colors.ts';

/**
 * Runs in the head before the first paint, as the page's only hand-written inline script (its hash or nonce is in the
 * policy). It sets the saved theme, with the colour that goes around the page, and whether somebody is signed in, so
 * that nothing flashes; marks the first page of a visit, on which nobody can have been further down before; and
 * installs the one Trusted Types policy: script addresses of this shop and of Stripe.js, and no way to make HTML from
 * text. The colour stands before the page's own, which React counts on finding as it was sent: the first one is taken.
 */
export const HEAD_SCRIPT = `(() => {
  const root = document.documentElement;
  const saved = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  root.dataset.theme = saved('theme') === 'dark' ? 'dark' : 'light';
  if (root.dataset.theme === 'dark') {
    const color = document.createElement('meta');
    color.name = 'theme-color';
    color.content = '${THEME_COLORS.dark}';
    document.head.prepend(color);
  }
  root.dataset.session = saved('accessToken') ? 'in' : 'out';
  try {
    if (sessionStorage.length === 0) {
      root.dataset.first = '';
      for (const kind of ['scroll', 'pointerdown', 'keydown'])
        addEventListener(kind, () => delete root.dataset.first, { once: true, capture: true });
    }
  } catch {}
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => {
      const { origin } = new URL(address, location.href);
      return origin === location.origin || origin === 'https://js.stripe.com' ? address : undefined;
    },
  });
})();`;
