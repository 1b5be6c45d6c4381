namespace Raven.CommandLine.Output;

/// <summary>How the process ends; scripts rely on the numbers, which are the same for all verbs.</summary>
internal static class ExitCode
{
    internal const int Success = 0;

    /// <summary>The server refused, failed or could not be reached.</summary>
    internal const int ServerFailed = 1;

    /// <summary>The command line is wrong, or a file that it names cannot be read or written.</summary>
    internal const int WrongUsage = 2;

    /// <summary>A file is not what it should be: of an import, of the storage, or of an audit log.</summary>
    internal const int BrokenInput = 3;

    /// <summary>The database does not hold what the files hold.</summary>
    internal const int NotEqual = 4;

    /// <summary>An export lacks what is damaged in the database, and lists it.</summary>
    internal const int Incomplete = 5;
}
