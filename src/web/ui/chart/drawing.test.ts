import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Drawing } from './drawing.tsx';

const shown = (svg: string): string => renderToStaticMarkup(createElement(Drawing, { svg }));

test('a drawing is shown as the server made it', () => {
  const svg =
    '<svg role="img" aria-label="2 books" width="100%" height="20"><rect x="5%" rx="2" fill="var(--muted)"><title>Nov 2: 1</title></rect><text font-size="12" text-anchor="end">Sold</text></svg>';
  expect(shown(svg)).toBe(svg);
});

test('what no drawing has is left out, and text stays text', () => {
  expect(
    shown(
      '<svg onload="x()" style="color:red"><script>alert(1)</script><a href="x"><text>&#60;b&#62; &#38;</text></a></svg>',
    ),
  ).toBe('<svg></svg>');
  expect(shown('<svg><text>&#60;b&#62;</text></svg>')).toBe('<svg><text>&lt;b&gt;</text></svg>');
  expect(shown('</svg><svg><rect>')).toBe('');
});
