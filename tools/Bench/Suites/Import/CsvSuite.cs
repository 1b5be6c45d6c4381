using System.Globalization;
using System.Text;
using nietras.SeparatedValues;
using Raven.CommandLine.Import.Input;

namespace Raven.Tools.Bench.Suites.Import;

/// <summary>
/// What it costs to work with strings: a file of 10 million lines with 6 columns, read field by field. With ReadLine
/// and Split, 8.65 s were published for it.
/// </summary>
internal sealed class CsvSuite : IBenchSuite
{
    private const int LineCount = 10_000_000;
    private const int ColumnCount = 6;
    private const string Throughput = "CSV: 10 million lines x 6 columns, every field";
    private const string Allocation = "CSV: managed bytes for the whole file";

    public string Name => "import";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(Throughput) && !context.Wants(Allocation))
        {
            yield break;
        }

        string path = Path.Combine(context.ScratchDirectory, "lines.csv");
        long bytes = WriteFile(path);
        yield return new BenchRow
        {
            Name = Throughput,
            Unit = "MB/s of CPU",
            PeerName = "ReadLine + Split",
            Target = BenchTarget.RatioAtLeast(3),
            WarmUpRuns = 1,
            Ours = () => Measure.MegabytesPerCpuSecond(bytes, () => Check(ReadSlices(path))),
            Peer = () => Measure.MegabytesPerCpuSecond(bytes, () => Check(ReadStrings(path))),
        };
        yield return new BenchRow
        {
            Name = Throughput + ", beside Sep",
            Unit = "MB/s of CPU",
            PeerName = "Sep 0.17",
            Target = BenchTarget.RatioAtLeast(1),
            WarmUpRuns = 1,
            Ours = () => Measure.MegabytesPerCpuSecond(bytes, () => Check(ReadSlices(path))),
            Peer = () => Measure.MegabytesPerCpuSecond(bytes, () => Check(ReadBySep(path))),
        };
        yield return new BenchRow
        {
            Name = Allocation,
            Unit = "bytes",
            PeerName = "ReadLine + Split",
            Target = BenchTarget.AtMost(1_000_000),
            WarmUpRuns = 0,
            Ours = () => Measure.AllocatedBytesPerOperation(1, () => Check(ReadSlices(path))),
            Peer = () => Measure.AllocatedBytesPerOperation(1, () => Check(ReadStrings(path))),
        };
        File.Delete(path);
    }

    private static long ReadSlices(string path)
    {
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 1);
        var reader = new CsvReader(path, stream);
        long fields = 0;
        while (reader.TryReadRow())
        {
            for (int field = 0; field < reader.FieldCount; field++)
            {
                fields += reader.GetField(field).IsEmpty ? 0 : 1;
            }
        }

        return fields;
    }

    private static long ReadBySep(string path)
    {
        using SepReader reader = Sep.New(',').Reader(options => options with { HasHeader = false }).FromFile(path);
        long fields = 0;
        foreach (SepReader.Row row in reader)
        {
            for (int field = 0; field < row.ColCount; field++)
            {
                fields += row[field].Span.IsEmpty ? 0 : 1;
            }
        }

        return fields;
    }

    private static long ReadStrings(string path)
    {
        using var reader = new StreamReader(path);
        long fields = 0;
        while (reader.ReadLine() is { } line)
        {
            foreach (string field in line.Split(','))
            {
                fields += field.Length == 0 ? 0 : 1;
            }
        }

        return fields;
    }

    private static void Check(long fields)
    {
        if (fields != (long)LineCount * ColumnCount)
        {
            throw new InvalidDataException($"{fields} fields were read");
        }
    }

    private static long WriteFile(string path)
    {
        const int Seed = 1;
        var random = new Random(Seed);
        using var file = new StreamWriter(path, append: false, new UTF8Encoding(false), bufferSize: 1 << 20);
        var line = new StringBuilder(100);
        for (int n = 0; n < LineCount; n++)
        {
            line.Clear();
            line.Append(CultureInfo.InvariantCulture, $"{n},user-{random.Next():D10},");
            line.Append(CultureInfo.InvariantCulture, $"{random.Next(10_000) / 100.0:0.00},");
            line.Append(CultureInfo.InvariantCulture, $"2015-{1 + (n % 12):D2}-{1 + (n % 28):D2},");
            line.Append(CultureInfo.InvariantCulture, $"some words {n % 1000},{random.Next(1_000_000):x}\n");
            file.Write(line);
        }

        file.Flush();
        return file.BaseStream.Length;
    }
}
