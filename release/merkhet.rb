# Homebrew: the workflow fills VERSION, ADDRESS and the sums in, and puts the file into a tap.
class Merkhet < Formula
  desc "Directed model checker for real-time systems"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@ADDRESS@/merkhet-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256_aarch64-apple-darwin@"
    end
    on_intel do
      url "@ADDRESS@/merkhet-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256_x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "@ADDRESS@/merkhet-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256_aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@ADDRESS@/merkhet-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256_x86_64-unknown-linux-gnu@"
    end
  end

  def install
    bin.install "merkhet"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/merkhet.bash" => "merkhet"
    zsh_completion.install "completions/_merkhet"
    fish_completion.install "completions/merkhet.fish"
    pkgshare.install "examples"
  end

  test do
    system bin/"merkhet", "check", pkgshare/"examples/fischer.xml"
  end
end
