import classes from './sections.module.css';
import { Benefits, HowItWorks, Testimonials } from './sections.tsx';

export function Component() {
  return (
    <div className={classes.page}>
      <title>Benefits · LendTools</title>
      <Benefits order={1} />
      <Testimonials />
      <HowItWorks />
    </div>
  );
}
