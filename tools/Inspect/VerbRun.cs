using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Tools.Inspect;

/// <summary>Runs a verb, and says in one line what is wrong with the files that it was given.</summary>
internal static class VerbRun
{
    private const int CannotBeRead = 1;
    private const int NotWhatItShouldBe = 2;

    /// <summary>True for a folder of an environment: to open any other would make one there.</summary>
    internal static bool IsEnvironment(string folder, TextWriter output)
    {
        if (File.Exists(Path.Combine(folder, DataFile.Name)))
        {
            return true;
        }

        output.WriteLine(Directory.Exists(folder)
            ? $"There is no {DataFile.Name} in {folder}."
            : $"There is no folder {folder}.");
        return false;
    }

    /// <summary>
    /// Runs it. The exit code is the verb's; 1 if a file cannot be read, 2 if it is damaged, of a newer build or
    /// in use.
    /// </summary>
    internal static int Run(IInspectVerb verb, string[] arguments, TextWriter output)
    {
        if (arguments is ["--help" or "-h"])
        {
            output.WriteLine($"Usage: Inspect {verb.Name} {verb.Usage}");
            return 0;
        }

        try
        {
            return verb.Run(arguments, output);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            output.WriteLine(failure.Message);
            return CannotBeRead;
        }
        catch (Exception failure) when (failure
            is StorageCorruptedException or StorageVersionException or StorageInUseException)
        {
            output.WriteLine(failure.Message);
            return NotWhatItShouldBe;
        }
    }
}
