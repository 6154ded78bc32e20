import { adoptSheet } from './card-look.ts';

const DIALOG_SHEET = `
  dialog { box-sizing: border-box; width: min(26rem, calc(100vw - 2rem)); padding: 1.5rem; border: 0;
    border-radius: 12px; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif;
    box-shadow: 0 12px 48px rgb(0 0 0 / .35); }
  dialog::backdrop { background: rgb(0 0 0 / .55); }
  h2 { margin: 0 0 .5rem; font-size: 1.15rem; }
  p { margin: 0 0 1.25rem; }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem; justify-content: flex-end; }
  button { min-height: 44px; padding: 0 1.25rem; border: 1px solid currentColor; border-radius: 8px;
    background: transparent; color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button[value=complete] { border-color: #4b45c6; background: #4b45c6; color: #fff; }
  button:focus-visible { outline: 3px solid #8b85ff; outline-offset: 2px; }
`;

/** A stand-in for the bank's 3-D Secure page. The Escape key counts as Fail. */
export function showBankDialog(amountText: string): Promise<'complete' | 'fail'> {
  const host = document.createElement('div');
  host.id = 'stripe-sandbox-3ds';
  const root = host.attachShadow({ mode: 'open' });
  adoptSheet(root, DIALOG_SHEET);
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.innerHTML = `<form method="dialog"><h2 id="title">3D Secure 2 Test Page</h2>
    <p>Your bank wants to know that it is you who pays <strong></strong>.</p>
    <div class="actions"><button value="fail">Fail</button><button value="complete" autofocus>Complete</button></div></form>`;
  const amount = dialog.querySelector('strong');
  if (amount) amount.textContent = amountText;
  root.append(dialog);
  document.body.append(host);
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      host.remove();
      resolve(dialog.returnValue === 'complete' ? 'complete' : 'fail');
    });
    dialog.showModal();
  });
}
