using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using Raven.Blittable.Text;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>Etags and dates as text, with the code that one writes first as the peer.</summary>
internal sealed class TextSuite : IBenchSuite
{
    private const int Distinct = 10_000;
    private const int Million = 1_000_000;
    private const string DateForm = "yyyy-MM-ddTHH:mm:ss.fffffffZ";

    private readonly byte[][] _etags = new byte[Distinct][];
    private readonly string[] _etagStrings = new string[Distinct];
    private readonly DateTime[] _dates = new DateTime[Distinct];
    private readonly byte[][] _dateTexts = new byte[Distinct][];
    private readonly byte[] _target = new byte[64];
    private ulong _sink;

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        Prepare();
        WarmUp.Run(ParseEtags);
        WarmUp.Run(FormatEtags);
        WarmUp.Run(FormatDates);
        WarmUp.Run(ParseDates);
        yield return Absolute("parse 1 M etags", 287, 1, ParseEtags);
        yield return Beside("parse etags", "as one writes it first", 60, ParseEtags, ParseEtagsNaively, Distinct);
        yield return Absolute("format 10 M etags", 5500, 10, FormatEtags);
        yield return Beside("format etags", "StringBuilder", 1, FormatEtags, FormatEtagsNaively, Distinct);
        yield return Absolute("format 10 M dates", 2060, 10, FormatDates);
        yield return Beside("format dates", "ToString", 6.5, FormatDates, FormatDatesByString, Million);
        yield return Beside("format dates", "TryFormat to UTF-8", 0, FormatDates, FormatDatesByFramework, Million);
        yield return Beside("parse dates", "DateTime.ParseExact", 0, ParseDates, ParseDatesByFramework, Distinct);
        GC.KeepAlive(_sink);
    }

    private static BenchRow Absolute(string name, double millisecondsMax, int millions, Action million) => new()
    {
        Name = name,
        Unit = "ms",
        Target = BenchTarget.AtMost(millisecondsMax),
        Ours = () => Measure.CpuSeconds(() =>
        {
            for (int i = 0; i < millions; i++)
            {
                million();
            }
        }) * 1000,
    };

    private static BenchRow Beside(
        string name, string peer, double ratio, Action ours, Action theirs, int theirCount) => new()
        {
            Name = name,
            Unit = "M/s",
            PeerName = peer,
            Target = ratio > 0 ? BenchTarget.RatioAtLeast(ratio) : BenchTarget.None,
            Ours = () => Measure.OperationsPerCpuSecond(Million, ours) / 1e6,
            Peer = () => Measure.OperationsPerCpuSecond(theirCount, theirs) / 1e6,
        };

    [SuppressMessage("Performance", "CA1846", Justification = "It is what one writes first.")]
    private static (ulong Restarts, ulong Changes) ParseNaively(string text)
    {
        byte[] bytes = new byte[16];
        int at = 0;
        for (int i = 0; i < text.Length; i += 2)
        {
            i += text[i] == '-' ? 1 : 0;
            bytes[at++] = byte.Parse(text.Substring(i, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        Array.Reverse(bytes, 0, 8);
        Array.Reverse(bytes, 8, 8);
        return (BitConverter.ToUInt64(bytes, 0), BitConverter.ToUInt64(bytes, 8));
    }

    private static string FormatNaively(ulong restarts, ulong changes)
    {
        StringBuilder text = new(36);
        foreach (ulong number in (ReadOnlySpan<ulong>)[restarts, changes])
        {
            byte[] bytes = BitConverter.GetBytes(number);
            for (int i = 7; i >= 0; i--)
            {
                text.Append(bytes[i].ToString("X2", CultureInfo.InvariantCulture));
                text.Append(text.Length is 8 or 13 or 18 or 23 ? "-" : "");
            }
        }

        return text.ToString();
    }

    private void Prepare()
    {
        Random random = new(1);
        for (int i = 0; i < Distinct; i++)
        {
            _etags[i] = new byte[EtagText.Length];
            _ = EtagText.TryFormat(0x0100000000000001, (ulong)random.NextInt64(), _etags[i]);
            _etagStrings[i] = Encoding.ASCII.GetString(_etags[i]);
            _dates[i] = new DateTime(2000, 1, 1).AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 20_000));
            _dateTexts[i] = new byte[DateText.Length];
            _ = DateText.TryFormat(_dates[i].Ticks, _dateTexts[i]);
        }
    }

    private void ParseEtags()
    {
        for (int i = 0; i < Million; i++)
        {
            _ = EtagText.TryParse(_etags[i % Distinct], out ulong restarts, out ulong changes);
            _sink += restarts ^ changes;
        }
    }

    private void ParseEtagsNaively()
    {
        foreach (string text in _etagStrings)
        {
            (ulong restarts, ulong changes) = ParseNaively(text);
            _sink += restarts ^ changes;
        }
    }

    private void FormatEtags()
    {
        for (ulong i = 0; i < Million; i++)
        {
            _sink += EtagText.TryFormat(0x0100000000000001, i * 0x9E3779B97F4A7C15, _target) ? _target[35] : 0u;
        }
    }

    private void FormatEtagsNaively()
    {
        for (ulong i = 0; i < Distinct; i++)
        {
            _sink += FormatNaively(0x0100000000000001, i * 0x9E3779B97F4A7C15)[35];
        }
    }

    private void FormatDates()
    {
        for (int i = 0; i < Million; i++)
        {
            _sink += DateText.TryFormat(_dates[i % Distinct].Ticks, _target) ? _target[26] : 0u;
        }
    }

    private void FormatDatesByString()
    {
        for (int i = 0; i < Million; i++)
        {
            _sink += _dates[i % Distinct].ToString(DateForm, CultureInfo.InvariantCulture)[26];
        }
    }

    private void FormatDatesByFramework()
    {
        for (int i = 0; i < Million; i++)
        {
            _ = _dates[i % Distinct].TryFormat(_target, out _, DateForm, CultureInfo.InvariantCulture);
            _sink += _target[26];
        }
    }

    private void ParseDates()
    {
        for (int i = 0; i < Million; i++)
        {
            _sink += DateText.TryParse(_dateTexts[i % Distinct], out DateTime date) ? (ulong)date.Ticks : 0;
        }
    }

    private void ParseDatesByFramework()
    {
        foreach (byte[] text in _dateTexts)
        {
            string date = Encoding.ASCII.GetString(text);
            _sink += (ulong)DateTime.ParseExact(
                date, DateForm, CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal).Ticks;
        }
    }
}
