using Raven.CommandLine.Output;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.CommandLine.Inspect;

/// <summary>Runs a verb, and says in one line what is wrong with the files that it was given.</summary>
internal static class VerbRun
{
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

    /// <summary>Runs it.</summary>
    /// <returns>What the verb returns; <see cref="ExitCode.WrongUsage"/> if a file cannot be read, and
    /// <see cref="ExitCode.BrokenInput"/> if it is damaged, of a newer build or in use.</returns>
    internal static int Run(VerbOutput output, Func<VerbOutput, int> verb)
    {
        try
        {
            return output.End(verb(output));
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            output.Lines.WriteLine(failure.Message);
            return output.End(ExitCode.WrongUsage);
        }
        catch (Exception failure) when (failure
            is StorageCorruptedException or StorageVersionException or StorageInUseException)
        {
            output.Lines.WriteLine(failure.Message);
            return output.End(ExitCode.BrokenInput);
        }
    }
}
