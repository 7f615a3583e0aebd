// Looks come from the page: colours and type are inherited, and light and dark follow its color-scheme. Stylesheets are
// built by script, which a strict style-src allows, where a style attribute or element would be refused.

/** @param {string} css */
function sheetOf(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

export const CARD_SHEET = sheetOf(`
  :host { display: block; font: inherit; color: inherit; }
  .row { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; }
  .field { display: flex; flex-direction: column; flex: 1 1 5.5rem; min-width: 0; }
  .field.number { flex: 3 1 14rem; }
  .field.zip { flex: 1 1 6rem; }
  [hidden] { display: none !important; }
  label { font-size: 0.8125rem; line-height: 1.4; color: var(--standin-label, currentColor); }
  .line { display: flex; align-items: baseline; gap: 0.5rem; }
  .brand { font-size: 0.8125rem; white-space: nowrap; }
  input {
    all: unset; box-sizing: border-box; flex: 1; width: 100%; min-width: 0; min-height: 2.75rem;
    margin-top: 0.125rem; padding-inline: 0.125rem; font: inherit; font-size: var(--standin-size, max(1rem, 16px)); font-family: var(--standin-family, inherit);
    font-variant-numeric: tabular-nums; color: var(--standin-color, inherit); cursor: text;
    border-bottom: 1px solid color-mix(in srgb, currentColor 60%, transparent);
  }
  input::placeholder { color: var(--standin-placeholder, color-mix(in srgb, currentColor 70%, transparent)); opacity: 1; }
  input:focus-visible { outline: 2px solid currentColor; outline-offset: 0; border-radius: 2px; }
  input:disabled { cursor: not-allowed; opacity: 0.6; }
  .field.wrong { --standin-label: var(--standin-invalid, light-dark(#a3180f, #ffb4a9)); }
  .field.wrong input { color: var(--standin-invalid, light-dark(#a3180f, #ffb4a9)); border-bottom-width: 2px; }
`);

export const WALLET_SHEET = sheetOf(`
  :host { display: block; }
  button {
    width: 100%; min-height: 2.75rem; padding: 0 1rem; border-radius: 0.5rem; border: 0; cursor: pointer;
    font: 600 1rem/1.5 system-ui, sans-serif; background: CanvasText; color: Canvas;
  }
  button:focus-visible { outline: 3px solid color-mix(in srgb, CanvasText 60%, Canvas); outline-offset: 2px; }
  p { margin: 0.25rem 0 0; font: 0.875rem/1.5 system-ui, sans-serif; color: CanvasText; }
  p:empty { display: none; }
`);

export const DIALOG_SHEET = sheetOf(`
  dialog {
    box-sizing: border-box; width: min(28rem, calc(100vw - 2rem)); padding: 1.5rem; border-radius: 0.75rem;
    border: 1px solid color-mix(in srgb, CanvasText 30%, Canvas);
    background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif;
  }
  dialog::backdrop { background: rgb(0 0 0 / 55%); }
  h2 { margin: 0 0 0.75rem; font-size: 1.25rem; line-height: 1.3; }
  p { margin: 0 0 0.75rem; }
  .amount { font-weight: 600; }
  .note { font-size: 0.875rem; }
  .buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.25rem; }
  button {
    flex: 1 1 8rem; min-height: 2.75rem; padding: 0 1rem; border-radius: 0.5rem; font: inherit; font-weight: 600;
    border: 1px solid CanvasText; background: Canvas; color: CanvasText; cursor: pointer;
  }
  button.main { background: CanvasText; color: Canvas; }
  button:focus-visible { outline: 3px solid color-mix(in srgb, CanvasText 60%, Canvas); outline-offset: 2px; }
  button:disabled { opacity: 0.6; cursor: progress; }
`);
