// toggleTheme switches between light and dark, whatever the system prefers.
const toggleTheme = () => {
  const root = document.documentElement,
    dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
};
