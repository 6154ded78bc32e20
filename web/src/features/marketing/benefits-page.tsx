import { Benefits, HowItWorks, Testimonials } from './sections.tsx';

export function Component() {
  return (
    <div className="page-width">
      <title>Benefits · LendTools</title>
      <Benefits order={1} />
      <Testimonials />
      <HowItWorks />
    </div>
  );
}
