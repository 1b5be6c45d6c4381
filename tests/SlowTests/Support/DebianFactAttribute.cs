namespace SlowTests.Support;

/// <summary>A test that needs programs of Debian, which are unpacked beside it; skipped if they cannot be.</summary>
internal sealed class DebianFactAttribute : FactAttribute
{
    /// <param name="packages">The packages, with spaces between.</param>
    public DebianFactAttribute(string packages) => Skip = DebianPrograms.ProblemOf(packages);
}
