using System.Text.Json;
using Raven.Documents.Queries.Results;

namespace Raven.Server.Http.Queries;

/// <summary>Facets and suggestions as clients read them.</summary>
internal static class TermsJson
{
    /// <summary>Writes the results of a query that asks for terms of an index, as values of an array.</summary>
    internal static void Write(Utf8JsonWriter json, QueryResults results)
    {
        if (results.IsOfSuggestions)
        {
            foreach (SuggestionResult suggestion in results.Suggestions())
            {
                Write(json, suggestion);
            }
        }
        else
        {
            foreach (FacetResult facet in results.Facets())
            {
                Write(json, facet);
            }
        }
    }

    private static void Write(Utf8JsonWriter json, SuggestionResult suggestion)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, suggestion.Name);
        json.WriteStartArray("Suggestions"u8);
        foreach (string word in suggestion.Words)
        {
            json.WriteStringValue(word);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, FacetResult facet)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, facet.Name);
        json.WriteStartArray("Values"u8);
        foreach (FacetCount value in facet.Values)
        {
            Write(json, value);
        }

        json.WriteEndArray();
        json.WriteStartArray("RemainingTerms"u8);
        foreach (string term in facet.RemainingTerms)
        {
            json.WriteStringValue(term);
        }

        json.WriteEndArray();
        json.WriteNumber("RemainingTermsCount"u8, facet.RemainingTermsCount);
        json.WriteNumber("RemainingHits"u8, facet.RemainingHits);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, FacetCount value)
    {
        json.WriteStartObject();
        json.WriteString("Range"u8, value.Range);
        json.WriteNumber("Count"u8, value.Count);
        if (value.Name is not null)
        {
            json.WriteString("Name"u8, value.Name);
            foreach ((string function, double figure) in value.Figures)
            {
                json.WriteNumber(function, figure);
            }
        }

        json.WriteEndObject();
    }
}
