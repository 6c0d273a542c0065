/** One picture, edited while one looks, and what every model makes of it. */
export function Try() {
  return (
    <section class="page wide try">
      <h1>Try</h1>
    </section>
  );
}
