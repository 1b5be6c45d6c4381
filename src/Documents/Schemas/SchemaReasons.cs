namespace Raven.Documents.Schemas;

/// <summary>What is said of a value that breaks a keyword.</summary>
internal static class SchemaReasons
{
    internal static string OfLimit(string pattern) => pattern.Length == 0
        ? $"takes more than {SchemaRun.StepsMax} steps to check, or nests too deep for its schema"
        : $"takes the pattern {pattern} too long";

    internal static string Of(SchemaNode node, string keyword, string detail) => keyword switch
    {
        "type" => $"must be {string.Join(" or ", node.Types.ToString().Split(", ")).ToLowerInvariant()}",
        "enum" => $"must be one of {node.EnumText}",
        "minimum" => $"must be at least {node.Minimum!.Text}",
        "maximum" => $"must be at most {node.Maximum!.Text}",
        "exclusiveMinimum" => $"must be above {node.ExclusiveMinimum!.Text}",
        "exclusiveMaximum" => $"must be below {node.ExclusiveMaximum!.Text}",
        "multipleOf" => $"must be a multiple of {node.MultipleOf!.Text}",
        "minLength" => $"must have at least {node.MinLength} characters",
        "maxLength" => $"must have at most {node.MaxLength} characters",
        "pattern" => $"must match {node.Pattern!.Source}",
        "minItems" => $"must have at least {node.Items!.Min} items",
        "maxItems" => $"must have at most {node.Items!.Max} items",
        "uniqueItems" => "must not have equal items",
        "contains" => $"must have at least {node.Items!.MinContains} items that match",
        "maxContains" => $"must have at most {node.Items!.MaxContains} items that match",
        "minProperties" => $"must have at least {node.Members!.Min} properties",
        "maxProperties" => $"must have at most {node.Members!.Max} properties",
        "required" => $"must have the property '{detail}'",
        "dependentRequired" => $"must have the property '{detail}', which another one of it asks for",
        "additionalProperties" => "is a property that is not allowed",
        "anyOf" => "matches none of the schemas",
        "oneOf" => $"must match one of the schemas, and matches {detail}",
        "not" => "matches what it must not",
        _ => "is not allowed",
    };
}
