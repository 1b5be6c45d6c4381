using System.Runtime.CompilerServices;

namespace SlowTests.Support;

/// <summary>A test that needs programs of Debian, which are unpacked beside it; skipped if they cannot be.</summary>
internal sealed class DebianFactAttribute : FactAttribute
{
    /// <param name="packages">The packages, with spaces between.</param>
    /// <param name="file">The compiler says where the test is.</param>
    /// <param name="line">The same.</param>
    public DebianFactAttribute(
        string packages, [CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line) => Skip = DebianPrograms.ProblemOf(packages);
}
