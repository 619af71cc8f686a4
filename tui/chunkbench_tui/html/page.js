"use strict";
// Sorting by a click on a heading, and filtering rows by what is typed.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") === "descending";
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = table.tBodies[0];
    const key = row => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
    const compare = (a, b) => {
      const [x, y] = [key(a), key(b)];
      if (x === "" || y === "") return (x === "") - (y === "");  // what is missing stays last
      const [m, n] = [Number(x.replaceAll(",", "")), Number(y.replaceAll(",", ""))];
      const order = Number.isNaN(m) || Number.isNaN(n) ? x.localeCompare(y) : m - n;
      return up ? order : -order;
    };
    body.append(...[...body.rows].sort(compare));
  }));
}
for (const field of document.querySelectorAll("input[data-filter]")) {
  const rows = document.getElementById(field.dataset.filter).tBodies[0].rows;
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every(word => text.includes(word));
    }
  });
}
