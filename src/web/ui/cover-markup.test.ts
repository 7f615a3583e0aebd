import { expect, test } from 'vitest';
import { coverArt } from './cover-art.ts';
import { coverMarkup } from './cover-markup.ts';

test('what people typed is drawn as text, whatever it looks like', () => {
  const markup = coverMarkup(coverArt('<script>alert("1")</script> & more', '"><img src=x onerror=alert(1)>'));
  expect(markup).not.toMatch(/<(script|img)/);
  expect(markup).toContain('&lt;script&gt;');
  expect(markup).toContain('&amp;');
});
