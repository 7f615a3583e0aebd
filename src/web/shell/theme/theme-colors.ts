/** The ground of the header in each theme (app.css, `--color-base-100`): what a phone paints around the page. */
export const THEME_COLORS = { light: '#fffdf8', dark: '#2b241e' } as const;
