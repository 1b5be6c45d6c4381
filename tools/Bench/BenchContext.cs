namespace Raven.Tools.Bench;

/// <summary>What the command line gives to a suite.</summary>
public sealed class BenchContext
{
    /// <summary>
    /// The folder of the real data sets (<c>--data</c>, or the variable DEV_BENCH_DATA); null if there is none.
    /// </summary>
    public string? DataDirectory { get; init; }

    /// <summary>The text that a row's name must contain (<c>--filter</c>), if any.</summary>
    public string? Filter { get; init; }

    /// <summary>Measured runs of each side of a row, at least 5 unless the user asked for a quick look.</summary>
    public int Runs { get; init; } = 5;

    /// <summary>What the sizes of data are multiplied by (<c>--scale</c>), in suites that load much: 1, or less for a
    /// quick look. The names of the rows say how much there was.</summary>
    public double Scale { get; init; } = 1;

    /// <summary>A folder for files of this run; deleted when the run ends.</summary>
    public required string ScratchDirectory { get; init; }

    /// <summary>Whether the filter lets a row of this name through: asked before an expensive set-up.</summary>
    public bool Wants(string rowName)
    {
        ArgumentNullException.ThrowIfNull(rowName);
        return Filter is null || rowName.Contains(Filter, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>
    /// The full path of a file of the data folder, or false if it is not there (the row then says so).
    /// </summary>
    public bool TryGetDataFile(string name, out string path)
    {
        path = DataDirectory is null ? name : Path.Combine(DataDirectory, name);
        return DataDirectory is not null && File.Exists(path);
    }
}
