"""Speed: suites beside their rivals, and the goals of each part."""
