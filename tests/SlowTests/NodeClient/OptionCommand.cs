using System.Text.Json;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Conventions;

namespace SlowTests.NodeClient;

/// <summary>A command of a batch for which our client has no type of its own.</summary>
internal sealed class OptionCommand(string type) : ICommandData
{
    public string Id => "items/1";

    public string Type => type;

    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        string members = type switch
        {
            "CompareExchangePUT" => """ "Id": "key", "Document": { "Object": 1 }, "Index": 0 """,
            "CompareExchangeDELETE" => """ "Id": "key", "Index": 0 """,
            "BatchPATCH" => """
                "Ids": [{ "Id": "items/1" }, { "Id": "items/none" }], "Patch": { "Script": "this.patched = 1" }
                """,
            _ => """ "Id": "items/1", "Name": "file", "DestinationId": "items/2", "DestinationName": "file" """,
        };
        writer.WriteRawValue($$"""{ {{members}}, "Type": "{{type}}" }""");
    }
}
