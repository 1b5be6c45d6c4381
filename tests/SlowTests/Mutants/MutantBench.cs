using System.Diagnostics;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Shared.Mutants;

namespace SlowTests.Mutants;

/// <summary>
/// A folder with copies of these tests and all that they need, in which a mutant takes the place of an assembly: a
/// process that starts there binds to it. One test at a time.
/// </summary>
public sealed class MutantBench : IDisposable
{
    /// <summary>Past it a check hangs.</summary>
    private static readonly TimeSpan HangLimit = TimeSpan.FromMinutes(10);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-mutants-").FullName;

    /// <summary>The mutant that is in the folder, or none, the file that was compiled for it, and its module.</summary>
    private (Mutant? Mutant, string File, Guid Id)? _current;

    public MutantBench()
    {
        foreach (string file in Directory.EnumerateFiles(AppContext.BaseDirectory)
            .Where(file => Path.GetExtension(file) is ".dll" or ".json"))
        {
            File.Copy(file, Path.Combine(_folder, Path.GetFileName(file)));
        }
    }

    /// <summary>Fails unless a check finds a mutant, and in time.</summary>
    internal void RequireCaught(string name, MutantCheck check)
    {
        Mutant mutant = Mutant.All[name];
        Put(mutant, mutant.Project);
        (int exitCode, string output) = Run(check);
        Assert.True(exitCode == MutantChecks.CaughtCode, $"{check} does not catch {name}: {exitCode}, {output}");
        Assert.Matches(MutantChecks.All[check].Finding, output);
    }

    /// <summary>Fails if a check finds something in what these sources are without a mutant.</summary>
    internal void RequirePasses(MutantCheck check, string project)
    {
        Put(null, project);
        (int exitCode, string output) = Run(check);
        Assert.True(exitCode == 0, $"{check} finds what no mutant has done: {exitCode}, {output}");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Puts the assembly of a project with a mutant in it, or without one, into the folder; of other projects
    /// there are those of the build.</summary>
    private void Put(Mutant? mutant, string project)
    {
        MutatedProject source = MutatedProject.In(project);
        if (_current is { } current && current.Mutant == mutant && current.File == source.AssemblyFile)
        {
            return;
        }

        if (_current is { } old && old.File != source.AssemblyFile)
        {
            File.Copy(
                Path.Combine(AppContext.BaseDirectory, old.File), Path.Combine(_folder, old.File), overwrite: true);
        }

        byte[] assembly = source.Compile(mutant);
        File.WriteAllBytes(Path.Combine(_folder, source.AssemblyFile), assembly);
        using var image = new PEReader(new MemoryStream(assembly));
        MetadataReader metadata = image.GetMetadataReader();
        _current = (mutant, source.AssemblyFile, metadata.GetGuid(metadata.GetModuleDefinition().Mvid));
    }

    /// <summary>Runs a check in the folder.</summary>
    private (int ExitCode, string Output) Run(MutantCheck check)
    {
        (_, string file, Guid id) = _current!.Value;
        string program = Path.Combine(_folder, "SlowTests.dll");
        ProcessStartInfo start = new("dotnet", [program, Program.MutantVerb, $"{check}", file, $"{id}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(HangLimit))
        {
            process.Kill(entireProcessTree: true);
            Assert.Fail($"{check} takes over {HangLimit}.");
        }

        return (process.ExitCode, output.Result + errors.Result);
    }
}
