// The bank's question: a native dialog that stands for the page a bank would show.
import { DIALOG_SHEET } from './styles.js';

/** @param {string} tag @param {string} text @param {string} [className] */
function textElement(tag, text, className = '') {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className !== '') element.className = className;
  return element;
}

/** @param {{ amount: number, currency: string }} intent */
function amountOf({ amount, currency }) {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100);
}

/**
 * Shows the dialog and sends the customer's answer on. Escape answers like Fail: so does leaving a bank's page.
 * @template Result
 * @param {{ amount: number, currency: string }} intent
 * @param {(outcome: 'complete' | 'fail') => Promise<Result>} send
 * @returns {Promise<Result>}
 */
export function askCustomer(intent, send) {
  return new Promise((resolve) => {
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [DIALOG_SHEET];
    const dialog = document.createElement('dialog');
    const heading = textElement('h2', '3D Secure 2 Test Page');
    heading.id = 'heading';
    dialog.setAttribute('aria-labelledby', 'heading');
    const complete = /** @type {HTMLButtonElement} */ (textElement('button', 'Complete', 'main'));
    const fail = /** @type {HTMLButtonElement} */ (textElement('button', 'Fail'));
    complete.type = 'button';
    fail.type = 'button';
    const buttons = document.createElement('div');
    buttons.className = 'buttons';
    buttons.append(complete, fail);
    dialog.append(
      heading,
      textElement('p', `Payment of ${amountOf(intent)}`, 'amount'),
      textElement('p', 'Your bank would now ask whether it is you who is paying.'),
      textElement('p', "This is Dogear's stand-in for Stripe: no bank is asked and no money moves.", 'note'),
      buttons,
    );
    root.append(dialog);

    let isSent = false;
    /** @param {'complete' | 'fail'} outcome */
    async function answer(outcome) {
      if (isSent) return;
      isSent = true;
      complete.disabled = true;
      fail.disabled = true;
      const result = await send(outcome);
      dialog.close();
      host.remove();
      resolve(result);
    }
    complete.addEventListener('click', () => answer('complete'));
    fail.addEventListener('click', () => answer('fail'));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      void answer('fail');
    });
    // Some browsers close a dialog on a second Escape whatever its page says.
    dialog.addEventListener('close', () => answer('fail'));
    document.body.append(host);
    dialog.showModal();
  });
}
