using System.Text;
using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>
/// What is to be done to one time series: ranges are deleted first, then values are added, then entries are written.
/// </summary>
public sealed class TimeSeriesOperation
{
    private const int ValuesMax = 32;
    private const int TagSizeBytesMax = 255;

    private readonly List<AppendOperation> _appends = [];
    private readonly List<DeleteOperation> _deletes = [];
    private readonly List<IncrementOperation> _increments = [];

    /// <summary>The name of the series.</summary>
    public string Name { get; set; } = "";

    /// <summary>Writes an entry, in place of one at the same time.</summary>
    /// <exception cref="ArgumentException">Its values or its tag are none that a series can have.</exception>
    public void Append(AppendOperation append)
    {
        ArgumentNullException.ThrowIfNull(append);
        CheckValues(append.Values);
        CheckTag(append.Tag);
        _appends.Add(append);
    }

    /// <summary>Deletes a range; entries of it that were to be written before are not written.</summary>
    /// <exception cref="ArgumentException">It ends before it begins.</exception>
    public void Delete(DeleteOperation delete)
    {
        ArgumentNullException.ThrowIfNull(delete);
        CheckRange(delete.From, delete.To);
        _appends.RemoveAll(append => delete.Has(append.Timestamp));
        _increments.RemoveAll(increment => increment.Timestamp is { } time && delete.Has(time));
        _deletes.Add(delete);
    }

    /// <summary>Adds values to those of the entry at the same time.</summary>
    /// <exception cref="ArgumentException">Its values are none that a series can have.</exception>
    public void Increment(IncrementOperation increment)
    {
        ArgumentNullException.ThrowIfNull(increment);
        CheckValues(increment.Values);
        _increments.Add(increment);
    }

    /// <exception cref="ArgumentException">Values are none that a series can have.</exception>
    internal static void CheckValues(IEnumerable<double> values)
    {
        ArgumentNullException.ThrowIfNull(values);
        int count = 0;
        foreach (double value in values)
        {
            if (!double.IsFinite(value))
            {
                throw new ArgumentException($"The value {count} is {value}: a time series has finite numbers only.");
            }

            count++;
        }

        if (count is 0 or > ValuesMax)
        {
            throw new ArgumentException($"An entry has 1 to {ValuesMax} values, not {count}.");
        }
    }

    /// <exception cref="ArgumentException">A tag is longer than one of a series can be.</exception>
    internal static void CheckTag(string? tag)
    {
        int size = tag is null ? 0 : Encoding.UTF8.GetByteCount(tag);
        if (size > TagSizeBytesMax)
        {
            throw new ArgumentException($"A tag has at most {TagSizeBytesMax} bytes in UTF-8, not {size}.");
        }
    }

    /// <exception cref="ArgumentException">A range ends before it begins.</exception>
    internal static void CheckRange(DateTime? from, DateTime? to)
    {
        if (from is { } first && to is { } last && SeriesTime.Of(first) > SeriesTime.Of(last))
        {
            throw new ArgumentException($"The range ends at {last:O}, before it begins at {first:O}.");
        }
    }

    internal void WriteTo(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("Name"u8, Name);
        WriteAll(writer, "Deletes", _deletes, static (to, delete) =>
        {
            to.WriteString("From"u8, SeriesTime.TextOf(delete.From));
            to.WriteString("To"u8, SeriesTime.TextOf(delete.To));
        });
        WriteAll(writer, "Increments", _increments, static (to, increment) =>
        {
            to.WriteString("Timestamp"u8, SeriesTime.TextOf(increment.Timestamp));
            WriteValues(to, increment.Values);
        });
        WriteAll(writer, "Appends", _appends, static (to, append) =>
        {
            to.WriteString("Timestamp"u8, SeriesTime.TextOf(append.Timestamp));
            WriteValues(to, append.Values);
            if (append.Tag != null)
            {
                to.WriteString("Tag"u8, append.Tag);
            }
        });
        writer.WriteEndObject();
    }

    private static void WriteValues(Utf8JsonWriter writer, double[] values)
    {
        writer.WriteStartArray("Values"u8);
        foreach (double value in values)
        {
            SeriesNumbersConverter.WriteNumber(writer, value);
        }

        writer.WriteEndArray();
    }

    private static void WriteAll<T>(Utf8JsonWriter writer, string name, List<T> all, Action<Utf8JsonWriter, T> write)
    {
        if (all.Count == 0)
        {
            return;
        }

        writer.WriteStartArray(name);
        foreach (T one in all)
        {
            writer.WriteStartObject();
            write(writer, one);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    /// <summary>An entry that is written.</summary>
    public sealed class AppendOperation
    {
        /// <summary>Its time.</summary>
        public DateTime Timestamp { get; set; }

        /// <summary>Its values, 1 to 32.</summary>
        public double[] Values { get; set; } = [];

        /// <summary>Where it comes from, often the id of a document; null to say nothing.</summary>
        public string? Tag { get; set; }
    }

    /// <summary>A range that is deleted; both ends belong to it.</summary>
    public sealed class DeleteOperation
    {
        /// <summary>Its first time; null for an open end.</summary>
        public DateTime? From { get; set; }

        /// <summary>Its last time; null for an open end.</summary>
        public DateTime? To { get; set; }

        internal bool Has(DateTime time) =>
            (From is not { } first || SeriesTime.Of(first) <= SeriesTime.Of(time))
            && (To is not { } last || SeriesTime.Of(time) <= SeriesTime.Of(last));
    }

    /// <summary>Values that are added to an entry of an incremental series.</summary>
    public sealed class IncrementOperation
    {
        /// <summary>The time of the entry; null takes that of the server.</summary>
        public DateTime? Timestamp { get; set; }

        /// <summary>What is added to its values.</summary>
        public double[] Values { get; set; } = [];
    }
}
