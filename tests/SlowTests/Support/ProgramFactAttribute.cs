using System.Runtime.CompilerServices;

namespace SlowTests.Support;

/// <summary>A test that needs a program, or root and a program, and is skipped on a machine without it.</summary>
internal sealed class ProgramFactAttribute : FactAttribute
{
    private const string ByRootAlone = "It takes root to act as several users.";

    /// <param name="program">Its path on Debian.</param>
    /// <param name="package">The package that has it there.</param>
    /// <param name="asRoot">Whether the test acts as several users, which root alone can.</param>
    /// <param name="file">The compiler says where the test is.</param>
    /// <param name="line">The same.</param>
    public ProgramFactAttribute(
        string program, string package, bool asRoot = false,
        [CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line)
    {
        if (!File.Exists(program))
        {
            Skip = $"{program} is not there: apt-get install {package}";
        }
        else if (asRoot && Environment.UserName != "root")
        {
            Skip = ByRootAlone;
        }
    }
}
