using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;

namespace Raven.Tools.Bench.Suites.Blittable;

/// <summary>
/// Tricks on and off: names and shapes kept over a stream of small documents, and compression at work on texts that
/// look like mail.
/// </summary>
internal sealed class TricksSuite : IBenchSuite
{
    private const int TateCount = 18_801;

    public string Name => "blittable";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        using OperationContext operation = new();
        foreach ((string name, int count) in
            (ValueTuple<string, int>[])[(DocumentSets.TateArtworks, TateCount), (DocumentSets.Zips, int.MaxValue)])
        {
            DocumentSet? set = DocumentSets.AreWanted(context, "structure cache", name)
                ? DocumentSets.TryLoad(context, name, count)
                : DocumentSets.TryLoadSample(name);
            if (set is null)
            {
                yield return BenchRow.Skip($"structure cache on, {name}", "MB/s", DocumentSets.Missing);
                continue;
            }

            foreach (BlittableMode mode in Enum.GetValues<BlittableMode>())
            {
                string form = mode == BlittableMode.ToMemory ? "to memory" : "to disk";
                yield return new BenchRow
                {
                    Name = $"structure cache on, {form}, {set.Describe()}",
                    Unit = "MB/s",
                    PeerName = "off",
                    Ours = () => Rate(set, operation, mode, keepsStructure: true),
                    Peer = () => Rate(set, operation, mode, keepsStructure: false),
                };
            }
        }

        DocumentSet mail = MakeMail();
        yield return new BenchRow
        {
            Name = $"parse to disk, {mail.Describe()}",
            Unit = "MB/s",
            PeerName = "without compression",
            Target = BenchTarget.RatioAtLeast(0.83),
            WarmUpRuns = 8,
            Ours = () => Rate(mail, operation, BlittableMode.ToDisk, keepsStructure: true),
            Peer = () => Rate(mail, operation, BlittableMode.ToMemory, keepsStructure: true),
        };
        yield return new BenchRow
        {
            Name = $"size to disk, {mail.Describe()}",
            Unit = "of the JSON",
            WarmUpRuns = 0,
            Ours = () => Size(mail, operation),
        };
    }

    private static double Rate(DocumentSet set, OperationContext operation, BlittableMode mode, bool keepsStructure)
    {
        operation.Parser.KeepsStructure = keepsStructure;
        double rate = Measure.MegabytesPerCpuSecond(set.RunBytes, () =>
        {
            for (int i = 0; i < set.Rounds * set.Count; i++)
            {
                Parse(set[i % set.Count].Span, operation, mode);
                operation.Reset();
            }
        });
        operation.Parser.KeepsStructure = true;
        return rate;
    }

    private static double Size(DocumentSet set, OperationContext operation)
    {
        long size = 0;
        for (int i = 0; i < set.Count; i++)
        {
            size += Parse(set[i].Span, operation, BlittableMode.ToDisk).Memory.Length;
            operation.Reset();
        }

        return (double)size / set.Bytes;
    }

    private static BlittableObject Parse(ReadOnlySpan<byte> json, OperationContext operation, BlittableMode mode) =>
        operation.Parser.TryParse(json, mode, out BlittableObject document, out JsonError error)
            ? document
            : throw new InvalidDataException(error.Reason);

    /// <summary>
    /// Mails as they are stored: a few headers, lines of 70 characters, and below them the mails they answer, quoted.
    /// </summary>
    private static DocumentSet MakeMail()
    {
        string[] words =
        [
            "the", "of", "and", "to", "meeting", "price", "gas", "contract", "please", "let", "me", "know", "if", "you",
            "have", "any", "questions", "about", "this", "deal", "we", "will", "call", "tomorrow", "morning", "report",
            "attached", "is", "a", "copy", "for", "your", "review", "thanks", "regards", "market", "energy", "trading",
        ];
        Random random = new(7);
        StringBuilder text = new();
        List<(int, int)> places = [];
        string quoted = string.Empty;
        for (int mail = 0; mail < 1500; mail++)
        {
            StringBuilder body = new();
            for (int line = random.Next(5, 30); line > 0; line--)
            {
                int start = body.Length;
                while (body.Length - start < 64)
                {
                    body.Append(words[random.Next(words.Length)]).Append(random.Next(12) == 0 ? ", " : " ");
                }

                body.Append("\\r\\n");
            }

            string written = body.ToString();
            string below = random.Next(4) == 0 ? string.Empty : quoted;
            int at = text.Length;
            text.Append("{\"Message-ID\":\"<").Append(random.Next(int.MaxValue)).Append(".JavaMail@thyme>\",")
                .Append("\"From\":\"person").Append(random.Next(500)).Append("@example.com\",")
                .Append("\"To\":[\"person").Append(random.Next(500)).Append("@example.com\"],")
                .Append("\"Subject\":\"RE: ").Append(words[random.Next(words.Length)]).Append("\",")
                .Append("\"Body\":\"").Append(written).Append(below).Append("\"}");
            places.Add((at, text.Length - at));
            quoted = "> " + (written + below)[..Math.Min(3000, written.Length + below.Length)]
                .Replace("\\r\\n", "\\r\\n> ", StringComparison.Ordinal).TrimEnd('\\');
            quoted = quoted.EndsWith("\\r", StringComparison.Ordinal) ? quoted[..^2] : quoted;
        }

        return new DocumentSet("mail-like texts", Encoding.UTF8.GetBytes(text.ToString()), places);
    }
}
