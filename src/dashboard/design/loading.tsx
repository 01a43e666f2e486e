/** A line at the top of the page while a part of it is loaded. A fast network never shows it (base.css). */
export const LOADING = <div className="loading-line" />;

/** The same in place of a page, which would have no heading. */
export const LOADING_PAGE = <h1 className="loading-line" aria-label="Loading" />;
