import { OwnersEarn } from '../features/marketing/owners-earn.tsx';
import { Benefits, HowItWorks, Safety, Testimonials } from '../features/marketing/sections.tsx';

/** The lower half of the home page. */
export default function HomeStory() {
  return (
    <>
      <OwnersEarn />
      <HowItWorks />
      <Benefits />
      <Testimonials />
      <Safety />
    </>
  );
}
