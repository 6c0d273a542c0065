/** Saves a figure or the text beside a button; opens folded parts for the printer. Nothing else needs it. */
export const script = `
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button) return;
  const svg = button.dataset.svg && button.closest('figure').querySelector('svg').cloneNode(true);
  if (svg) svg.style.color = '#1c2329';
  const text = svg ? svg.outerHTML : button.nextElementSibling.content.textContent;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: svg ? 'image/svg+xml' : 'text/plain' }));
  link.download = button.dataset.svg || button.dataset.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
addEventListener('beforeprint', () => { for (const part of document.querySelectorAll('details')) part.open = true; });
`;
