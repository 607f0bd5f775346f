"""Decision trees and boosted trees; no poker."""
