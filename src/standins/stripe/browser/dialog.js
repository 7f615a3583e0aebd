// A native dialog in place of what a bank or a wallet would show.
import { DIALOG_SHEET } from './styles.js';

/** @param {string} tag @param {string} text @param {string} [className] */
function textElement(tag, text, className = '') {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}

/** @param {{ amount: number, currency: string }} of */
export function amountOf({ amount, currency }) {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
}

/**
 * Asks one question, to be answered yes or no; Escape says no. The dialog stays, without buttons to press, until what
 * is done with the answer is over.
 * @template Result
 * @param {{ title: string, amount: string, lines: readonly string[], yes: string, no: string }} question
 * @param {(isYes: boolean) => Promise<Result>} act
 * @returns {Promise<Result>}
 */
export function ask({ title, amount, lines, yes, no }, act) {
  return new Promise((resolve) => {
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [DIALOG_SHEET];
    const dialog = document.createElement('dialog');
    const heading = textElement('h2', title);
    heading.id = 'heading';
    dialog.setAttribute('aria-labelledby', 'heading');
    const main = /** @type {HTMLButtonElement} */ (textElement('button', yes, 'main'));
    const other = /** @type {HTMLButtonElement} */ (textElement('button', no));
    main.type = 'button';
    other.type = 'button';
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    buttons.append(main, other);
    dialog.append(
      heading,
      textElement('p', amount, 'amount'),
      ...lines.map((line) => textElement('p', line)),
      textElement('p', "This is Dogear's stand-in for Stripe: no bank is asked and no money moves.", 'note'),
      buttons,
    );
    root.append(dialog);

    let isSent = false;
    /** @param {boolean} isYes */
    async function answer(isYes) {
      if (isSent) return;
      isSent = true;
      main.disabled = true;
      other.disabled = true;
      const result = await act(isYes);
      dialog.close();
      host.remove();
      resolve(result);
    }
    main.addEventListener('click', () => answer(true));
    other.addEventListener('click', () => answer(false));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void answer(false);
    });
    // Some browsers close a dialog on a second Escape whatever its page says.
    dialog.addEventListener('close', () => answer(false));
    document.body.append(host);
    dialog.showModal();
  });
}
