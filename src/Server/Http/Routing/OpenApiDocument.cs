using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Routing;

/// <summary>
/// The routes as an OpenAPI 3.1 document, made only from the route table, so that it is always complete. Methods that
/// OpenAPI does not have (RESET) are written as <c>x-reset</c>.
/// </summary>
internal static class OpenApiDocument
{
    private const string ErrorReference = "#/components/responses/Error";

    /// <summary>Writes the document of some routes, indented, ending in a line feed.</summary>
    internal static byte[] Write(IEnumerable<Route> routes)
    {
        var target = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(target, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
        {
            json.WriteStartObject();
            json.WriteString("openapi"u8, "3.1.0"u8);
            json.WriteStartObject("info"u8);
            json.WriteString("title"u8, "Raven"u8);
            json.WriteString("description"u8, "A networked JSON document database."u8);
            json.WriteString("version"u8, ServerVersion.Product);
            json.WriteEndObject();
            json.WriteStartObject("paths"u8);
            foreach (IGrouping<string, Route> path in routes.GroupBy(route => PathOf(route.Path)))
            {
                WritePath(json, path);
            }

            json.WriteEndObject();
            WriteComponents(json);
            json.WriteEndObject();
        }

        target.Write("\n"u8);
        return target.WrittenSpan.ToArray();
    }

    /// <summary>The path with names for its captures.</summary>
    private static string PathOf(string path)
    {
        var text = new StringBuilder(path);
        if (path.StartsWith("/databases/*", StringComparison.Ordinal))
        {
            text.Replace("*", "{database}", 0, "/databases/*".Length);
        }

        return text.Replace("*", "{name}").Replace("$", "{rest}").ToString();
    }

    private static void WritePath(Utf8JsonWriter json, IGrouping<string, Route> path)
    {
        json.WriteStartObject(path.Key);
        foreach (Route route in path)
        {
            string method = HttpVerbs.Name(route.Verb).ToLowerInvariant();
            bool isKnown = method is "get" or "put" or "post" or "delete" or "options" or "head" or "patch";
            json.WriteStartObject(isKnown ? method : "x-" + method);
            json.WriteString("operationId"u8, $"{method}{path.Key}");
            json.WriteString("summary"u8, route.Summary);
            json.WriteString("x-access"u8, route.Access.ToString());
            WriteParameters(json, path.Key, route.Query);
            json.WriteStartObject("responses"u8);
            WriteResponses(json, route);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static void WriteParameters(Utf8JsonWriter json, string path, string query)
    {
        json.WriteStartArray("parameters"u8);
        for (int open = path.IndexOf('{', StringComparison.Ordinal); open >= 0; open = path.IndexOf('{', open + 1))
        {
            WriteParameter(json, path[(open + 1)..path.IndexOf('}', open)], "path", isRequired: true, "string", false);
        }

        const StringSplitOptions trimmed = StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries;
        foreach (string one in query.Split(',', trimmed))
        {
            string type = one.EndsWith(":int", StringComparison.Ordinal) ? "integer"
                : one.EndsWith(":bool", StringComparison.Ordinal) ? "boolean"
                : "string";
            WriteParameter(
                json, one.Split(':')[0].TrimEnd('!', '*'), "query", isRequired: one.EndsWith('!'), type,
                isRepeated: one.EndsWith('*'));
        }

        json.WriteEndArray();
    }

    private static void WriteParameter(
        Utf8JsonWriter json, string name, string place, bool isRequired, string type, bool isRepeated)
    {
        json.WriteStartObject();
        json.WriteString("name"u8, name);
        json.WriteString("in"u8, place);
        if (isRequired)
        {
            json.WriteBoolean("required"u8, true);
        }

        json.WriteStartObject("schema"u8);
        if (isRepeated)
        {
            json.WriteString("type"u8, "array"u8);
            json.WriteStartObject("items"u8);
        }

        json.WriteString("type"u8, type);
        if (isRepeated)
        {
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }

    private static void WriteResponses(Utf8JsonWriter json, Route route)
    {
        bool isServed = !route.Summary.StartsWith("Not served", StringComparison.Ordinal);
        if (isServed)
        {
            json.WriteStartObject("2XX"u8);
            json.WriteString("description"u8, "Done."u8);
            json.WriteEndObject();
        }

        json.WriteStartObject(isServed ? "default"u8 : "501"u8);
        json.WriteString("$ref"u8, ErrorReference);
        json.WriteEndObject();
    }

    private static void WriteComponents(Utf8JsonWriter json)
    {
        json.WriteStartObject("components"u8);
        json.WriteStartObject("responses"u8);
        json.WriteStartObject("Error"u8);
        json.WriteString("description"u8, "What is wrong, and where."u8);
        json.WriteStartObject("content"u8);
        json.WriteStartObject("application/json"u8);
        json.WriteStartObject("schema"u8);
        json.WriteString("type"u8, "object"u8);
        json.WriteStartObject("properties"u8);
        foreach (string name in new[] { "Url", "Type", "Message", "Error" })
        {
            json.WriteStartObject(name);
            json.WriteString("type"u8, "string"u8);
            json.WriteEndObject();
        }

        for (int i = 0; i < 7; i++)
        {
            json.WriteEndObject();
        }
    }
}
