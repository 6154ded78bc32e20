import { Benefits, HowItWorks, Safety } from './sections.tsx';

export default function HowItWorksPage() {
  return (
    <div className="page-width">
      <title>How it works · LendTools</title>
      <HowItWorks order={1} />
      <Safety />
      <Benefits />
    </div>
  );
}
