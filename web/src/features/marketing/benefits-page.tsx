import { Benefits, HowItWorks, Testimonials } from './sections.tsx';

export default function BenefitsPage() {
  return (
    <div className="page-width">
      <title>Benefits · LendTools</title>
      <Benefits order={1} />
      <Testimonials />
      <HowItWorks />
    </div>
  );
}
