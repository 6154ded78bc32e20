import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** On shade 7, white text has a contrast of 5.4:1; shade 7 on the page's background has 5:1. */
const orange: MantineColorsTuple = [
  '#fff4ec',
  '#ffe6d5',
  '#ffcaa8',
  '#ffab77',
  '#fb8f4d',
  '#ec7430',
  '#d65a17',
  '#bc450b',
  '#97370b',
  '#762c0c',
];

/** On shade 7, white text has a contrast of 5.6:1. */
const green: MantineColorsTuple = [
  '#eef8f0',
  '#dcf0e1',
  '#b9e0c4',
  '#8fcba0',
  '#64b47c',
  '#45a062',
  '#348951',
  '#2a7343',
  '#225b36',
  '#1b482b',
];

const paper: MantineColorsTuple = [
  '#faf6f0',
  '#f3ede3',
  '#e9e1d4',
  '#dcd2c2',
  '#c5b9a7',
  '#a39785',
  '#71665a',
  '#564d43',
  '#3a332b',
  '#211d18',
];

/** The warm grays of the dark theme. Mantine uses 0 for text, 4 for borders and 7 for the page. */
const night: MantineColorsTuple = [
  '#f1ebe2',
  '#d8cfc3',
  '#b3a99b',
  '#8c8275',
  '#4b443b',
  '#3a342d',
  '#2b2621',
  '#1b1815',
  '#161310',
  '#0f0d0b',
];

const heading = "'Bricolage Grotesque Variable', 'Inter Variable', system-ui, sans-serif";
const text = "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif";

/** Give the `<header>` of a dialog or drawer a role: without one it would be a banner landmark of the page. */
const overlay = {
  closeButtonProps: { 'aria-label': 'Close', size: 'lg' },
  attributes: { header: { role: 'presentation' } },
};

export const theme: MantineThemeOverride = createTheme({
  colors: { orange, green, gray: paper, dark: night },
  primaryColor: 'orange',
  primaryShade: { light: 7, dark: 7 },
  black: '#211d18',
  fontFamily: text,
  headings: {
    fontFamily: heading,
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.75rem, 1.3rem + 2vw, 2.5rem)', lineHeight: '1.12' },
      h2: { fontSize: 'clamp(1.375rem, 1.15rem + 1vw, 1.75rem)', lineHeight: '1.2' },
      h3: { fontSize: '1.1875rem', lineHeight: '1.3' },
    },
  },
  defaultRadius: 12,
  radius: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  shadows: {
    xs: '0 1px 2px rgb(58 44 24 / 6%)',
    sm: '0 1px 2px rgb(58 44 24 / 5%), 0 4px 12px rgb(58 44 24 / 6%)',
    md: '0 2px 4px rgb(58 44 24 / 5%), 0 10px 28px rgb(58 44 24 / 9%)',
    lg: '0 4px 8px rgb(58 44 24 / 5%), 0 18px 48px rgb(58 44 24 / 13%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    InputWrapper: { styles: { label: { marginBottom: 4 } } },
    Button: { defaultProps: { size: 'md' }, styles: { label: { fontWeight: 600 } } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NumberInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Select: {
      // Let the list scroll by itself: Mantine's scroll area around it can't be reached by keyboard.
      defaultProps: {
        size: 'md',
        checkIconPosition: 'right',
        allowDeselect: false,
        withScrollArea: false,
      },
      styles: { options: { maxHeight: 240, overflowY: 'auto' } },
    },
    NativeSelect: { defaultProps: { size: 'md' } },
    Paper: { defaultProps: { bg: 'var(--surface)' } },
    Card: { defaultProps: { bg: 'var(--surface)' } },
    Menu: {
      // Focus the first item: Mantine's placeholder for the focus is not a valid child of a menu.
      defaultProps: { shadow: 'md', radius: 'md', withInitialFocusPlaceholder: false },
    },
    Modal: {
      defaultProps: { ...overlay, centered: true, radius: 'lg' },
      styles: {
        content: { backgroundColor: 'var(--surface)' },
        header: { backgroundColor: 'var(--surface)' },
        title: { fontFamily: heading, fontWeight: 700, fontSize: '1.25rem' },
      },
    },
    Drawer: {
      defaultProps: overlay,
      styles: {
        content: { backgroundColor: 'var(--surface)' },
        header: { backgroundColor: 'var(--surface)' },
        title: { fontFamily: heading, fontWeight: 700, fontSize: '1.25rem' },
      },
    },
    Skeleton: { defaultProps: { radius: 'md' } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});

/** Overrides Mantine's colors of badges and light buttons, which are nearly black in the dark theme. */
function byLamplight(color: string, surface: string, ink: string) {
  return {
    [`--mantine-color-${color}-light`]: surface,
    [`--mantine-color-${color}-light-hover`]: `color-mix(in srgb, ${surface} 88%, white)`,
    [`--mantine-color-${color}-light-color`]: ink,
  };
}

/** The colors that Mantine has no name for; stylesheets use these and no literal colors. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: { '--page-width': '1360px' },
  light: {
    '--mantine-color-body': paper[0],
    '--mantine-color-dimmed': paper[6],
    '--mantine-color-anchor': orange[7],
    '--mantine-color-placeholder': '#786d60',
    '--mantine-color-error': '#b3261e',
    '--surface': '#ffffff',
    '--surface-sunk': paper[1],
    '--line': paper[2],
    '--field-line': '#998d7d',
    '--ink': paper[9],
    '--accent-text': orange[7],
    '--accent-soft': '#ffeddf',
    '--good-text': green[7],
    '--star': '#e5a000',
    '--star-empty': paper[3],
  },
  dark: {
    '--mantine-color-body': night[7],
    '--mantine-color-dimmed': night[2],
    '--mantine-color-anchor': orange[3],
    '--mantine-color-placeholder': '#a0968a',
    '--mantine-color-error': '#ff9d92',
    ...byLamplight('green', '#1e3b29', green[2]),
    ...byLamplight('orange', '#482b1a', orange[2]),
    ...byLamplight('red', '#4a211d', '#ffb3ab'),
    ...byLamplight('gray', night[5], night[1]),
    '--surface': '#25211c',
    '--surface-sunk': '#15120f',
    '--line': '#3a342d',
    '--field-line': '#7d7468',
    '--ink': night[0],
    '--accent-text': orange[3],
    '--accent-soft': '#38271b',
    '--good-text': green[3],
    '--star': '#f5b82e',
    '--star-empty': night[4],
  },
});
