using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>The answer of a query, without its results.</summary>
internal sealed class QueryAnswer
{
    internal GetDocumentsResult Included { get; } = new();

    internal QueryStatistics Statistics { get; } = new();

    /// <summary>Pieces of texts by field and document; absent if none were requested.</summary>
    internal JsonElement Highlightings { get; private set; }

    /// <summary>Explanations of the results, by document; absent if they were not requested.</summary>
    internal JsonElement Explanations { get; private set; }

    /// <summary>The times of each part; absent if they were not requested.</summary>
    internal JsonElement Timings { get; private set; }

    /// <summary>Reads the body of an answer in one pass.</summary>
    /// <param name="body">The body.</param>
    /// <param name="results">Takes the results, in their order.</param>
    internal static QueryAnswer Read(ReadOnlyMemory<byte> body, IResultReader results)
    {
        var answer = new QueryAnswer();
        Utf8JsonReader reader = AnswerBody.Open(body.Span);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("Results"u8))
            {
                reader.Read();
                results.Read(ref reader, body);
            }
            else if (reader.ValueTextEquals("Highlightings"u8))
            {
                answer.Highlightings = JsonElement.ParseValue(ref reader);
            }
            else if (reader.ValueTextEquals("Explanations"u8))
            {
                answer.Explanations = JsonElement.ParseValue(ref reader);
            }
            else if (reader.ValueTextEquals("Timings"u8))
            {
                answer.Timings = JsonElement.ParseValue(ref reader);
            }
            else if (!answer.Included.TryReadIncludes(ref reader, body))
            {
                answer.ReadStatistics(ref reader);
            }
        }

        return answer;
    }

    private void ReadStatistics(ref Utf8JsonReader reader)
    {
        QueryStatistics known = Statistics;
        if (reader.ValueTextEquals("IsStale"u8))
        {
            reader.Read();
            known.IsStale = reader.TokenType == JsonTokenType.True;
        }
        else if (reader.ValueTextEquals("IndexName"u8))
        {
            reader.Read();
            known.IndexName = reader.TokenType == JsonTokenType.String ? reader.GetString() : null;
        }
        else if (reader.ValueTextEquals("TotalResults"u8) || reader.ValueTextEquals("LongTotalResults"u8))
        {
            known.TotalResults = Math.Max(known.TotalResults, Number(ref reader));
        }
        else if (reader.ValueTextEquals("SkippedResults"u8))
        {
            known.SkippedResults = Number(ref reader);
        }
        else if (reader.ValueTextEquals("ScannedResults"u8))
        {
            known.ScannedResults = Number(ref reader);
        }
        else if (reader.ValueTextEquals("DurationInMs"u8))
        {
            known.DurationInMs = Number(ref reader);
        }
        else if (reader.ValueTextEquals("ResultEtag"u8))
        {
            known.ResultEtag = Number(ref reader);
        }

        reader.Skip();
    }

    private static long Number(ref Utf8JsonReader reader)
    {
        reader.Read();
        return reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out long number) ? number : 0;
    }
}
