namespace SlowTests.Support;

/// <summary>A test that needs a program, and is skipped on a machine without it.</summary>
internal sealed class ProgramFactAttribute : FactAttribute
{
    /// <param name="program">Its path on Debian.</param>
    /// <param name="package">The package that has it there.</param>
    public ProgramFactAttribute(string program, string package)
    {
        if (!File.Exists(program))
        {
            Skip = $"{program} is not there: apt-get install {package}";
        }
    }
}
