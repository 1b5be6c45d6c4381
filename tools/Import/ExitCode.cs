namespace Raven.Tools.Import;

/// <summary>How the process ends; scripts rely on the numbers.</summary>
internal static class ExitCode
{
    internal const int Success = 0;

    /// <summary>The server refused or could not be reached.</summary>
    internal const int ServerFailed = 1;

    /// <summary>The command line is wrong, or a file is not there.</summary>
    internal const int WrongUsage = 2;

    /// <summary>A source file is broken.</summary>
    internal const int BrokenInput = 3;

    /// <summary>The database does not hold what the files hold.</summary>
    internal const int NotEqual = 4;

    /// <summary>An export lacks what is damaged in the database, and lists it.</summary>
    internal const int Incomplete = 5;
}
