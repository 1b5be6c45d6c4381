using System.Globalization;
using System.Text;
using System.Text.Json;
using FastTests.Support;
using Json.Schema;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Schemas;

namespace FastTests.Documents.Schemas;

/// <summary>Schemas against the library JsonSchema.Net, and what it has no answer for.</summary>
public sealed class SchemaTests : IDisposable
{
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Random_documents_are_judged_as_by_another_validator(int seed)
    {
        Random random = new(seed);
        RandomSchema made = new(random);
        int valid = 0;
        int invalid = 0;
        for (int i = 0; i < 150; i++)
        {
            string text = made.Root();
            SchemaNode schema = SchemaCompiler.Compile(text);
            JsonSchema judge = JsonSchema.FromText(text);
            for (int k = 0; k < 6; k++)
            {
                string document = $$"""{"V":{{made.Value(3)}}}""";
                using var json = JsonDocument.Parse(document);
                bool wanted = judge.Evaluate(json.RootElement).IsValid;
                SchemaViolation? found = Check(schema, document);
                Assert.True(
                    wanted == (found is null),
                    $"seed {seed}, {i}.{k}: {text} {document}: {found?.Describe() ?? "valid"}, wanted {wanted}");
                valid += wanted ? 1 : 0;
                invalid += wanted ? 0 : 1;
            }
        }

        Assert.True(valid > 100 && invalid > 100, $"{valid} valid, {invalid} not");
    }

    [Theory]
    [InlineData("""{"minimum":9007199254740993}""", "9007199254740992", false)]
    [InlineData("""{"minimum":9007199254740993}""", "9007199254740993", true)]
    [InlineData("""{"maximum":0.1}""", "0.10000000000000000000000001", false)]
    [InlineData("""{"maximum":1e400}""", "1e399", true)]
    [InlineData("""{"maximum":1e400}""", "1e401", false)]
    [InlineData("""{"minimum":1e-400}""", "0", false)]
    [InlineData("""{"minimum":0.5}""", "0", false)]
    [InlineData("""{"minimum":-0.5}""", "0", true)]
    [InlineData("""{"multipleOf":0.01}""", "19.99", true)]
    [InlineData("""{"multipleOf":0.01}""", "19.999", false)]
    [InlineData("""{"multipleOf":0.1}""", "1e300", true)]
    [InlineData("""{"multipleOf":7}""", "7e22", true)]
    [InlineData("""{"multipleOf":7}""", "1e22", false)]
    [InlineData("""{"multipleOf":12345678901234567890123}""", "24691357802469135780246", true)]
    [InlineData("""{"multipleOf":12345678901234567890123}""", "24691357802469135780247", false)]
    [InlineData("""{"type":"integer"}""", "1.0", true)]
    [InlineData("""{"type":"integer"}""", "1e3", true)]
    [InlineData("""{"type":"integer"}""", "1.5e0", false)]
    [InlineData("""{"type":"integer"}""", "123456789012345678901234567890.5", false)]
    [InlineData("""{"const":1}""", "1.0", true)]
    [InlineData("""{"const":123456789012345678901234567890}""", "123456789012345678901234567891", false)]
    [InlineData("""{"uniqueItems":true}""", "[1,1.0]", false)]
    [InlineData("""{"uniqueItems":true}""", "[1,true,\"1\",[1],{\"a\":1}]", true)]
    [InlineData("""{"maxLength":1}""", "\"😀\"", true)]
    [InlineData("""{"pattern":"^.$"}""", "\"😀\"", true)]
    [InlineData("""{"pattern":"^(?=.*[A-Z])(?=.*\\d).{4,}$"}""", "\"Ab12\"", true)]
    [InlineData("""{"pattern":"^(?=.*[A-Z])(?=.*\\d).{4,}$"}""", "\"ab12\"", false)]
    [InlineData("""{"pattern":"\\d"}""", "\"\u0663\"", false)]
    [InlineData("""{"format":"email"}""", "\"no\"", true)]
    [InlineData("""{"dependencies":{"a":["b"]}}""", "{\"a\":1}", false)]
    [InlineData("""{"dependencies":{"a":{"required":["c"]}}}""", "{\"a\":1,\"c\":2}", true)]
    [InlineData("""{"unknown":1}""", "1", true)]
    public void Values_are_judged_exactly(string schema, string value, bool isValid) => Assert.Equal(
        isValid,
        Check(SchemaCompiler.Compile($$"""{"properties":{"V":{{schema}} } }"""), $$"""{"V":{{value}}}""") is null);

    [Theory]
    [InlineData("""{"additionalProperties":false,"maxProperties":1,"properties":{"A":true}}""", true)]
    [InlineData("""{"unevaluatedProperties":false,"properties":{"A":true}}""", true)]
    [InlineData("""{"propertyNames":{"maxLength":1}}""", true)]
    [InlineData("""{"const":{"A":1}}""", true)]
    [InlineData("""{"required":["@metadata"]}""", false)]
    [InlineData("""{"dependentRequired":{"@metadata":["X"]}}""", true)]
    [InlineData("""{"allOf":[{"maxProperties":1}]}""", true)]
    public void Schemas_do_not_see_the_metadata(string schema, bool isValid) => Assert.Equal(
        isValid, Check(SchemaCompiler.Compile(schema), """{"A":1,"@metadata":{"@collection":"Users"}}""") is null);

    [Theory]
    [InlineData("""{"type":"text"}""", "#/type")]
    [InlineData("""{"properties":{"A":{"minimum":"1"}}}""", "#/properties/A/minimum")]
    [InlineData("""{"properties":{"A/B":{"minLength":-1}}}""", "#/properties/A~1B/minLength")]
    [InlineData("""{"pattern":"("}""", "#/pattern")]
    [InlineData("""{"patternProperties":{"[":true}}""", "#/patternProperties")]
    [InlineData("""{"items":[{}]}""", "prefixItems")]
    [InlineData("""{"multipleOf":0}""", "above 0")]
    [InlineData("""{"anyOf":[]}""", "#/anyOf must not be empty")]
    [InlineData("""{"$ref":"#"}""", "leads to itself")]
    [InlineData("""{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"allOf":[{"$ref":"#/$defs/a"}]}}}""", "#/$defs/b")]
    [InlineData("""{"if":{"not":{"$ref":"#"}}}""", "leads to itself")]
    [InlineData("""{"$ref":"#/$defs/none"}""", "leads to nothing")]
    [InlineData("""{"$ref":"#none"}""", "anchor")]
    [InlineData("""{"$ref":"https://example.org/other.json"}""", "nothing is read from elsewhere")]
    [InlineData("""{"$ref":"other.json"}""", "nothing is read from elsewhere")]
    [InlineData("""[]""", "must be a schema")]
    [InlineData("""{""", "no JSON")]
    public void A_schema_that_is_wrong_is_refused_with_its_place(string schema, string says)
    {
        FormatException e = Assert.Throws<FormatException>(() => SchemaCompiler.Compile(schema));
        Assert.Contains(says, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void References_lead_to_pointers_anchors_and_names()
    {
        SchemaNode schema = SchemaCompiler.Compile(
            """
            {"$id":"https://example.org/root.json","$ref":"#tree","properties":{"P":{"$ref":"parts/price.json"},
             "Q":{"$ref":"https://example.org/parts/price.json#/$defs/small"}},
             "$defs":{
              "t":{"$anchor":"tree","properties":{"Children":{"items":{"$ref":"#tree"}},"N":{"type":"integer"}}},
              "p":{"$id":"parts/price.json","type":"number","$ref":"#/$defs/small","$defs":{"small":{"maximum":10}}}}}
            """);
        Assert.Null(Check(schema, """{"P":10,"Q":9,"Children":[{"Children":[{"N":1}]}]}"""));
        Assert.Equal(
            "Children[0].Children[1].N", Check(schema, """{"Children":[{"Children":[{},{"N":"x"}]}]}""")!.Path);
        Assert.Equal("P", Check(schema, """{"P":11}""")!.Path);
        Assert.Equal("Q", Check(schema, """{"Q":11}""")!.Path);
    }

    [Fact]
    public void A_dynamic_reference_leads_to_the_outermost_resource_that_has_its_anchor()
    {
        SchemaNode schema = SchemaCompiler.Compile(
            """
            {"$id":"https://example.org/strict","$dynamicAnchor":"node","$ref":"tree","unevaluatedProperties":false,
             "$defs":{"tree":{"$id":"tree","$dynamicAnchor":"node",
              "properties":{"Data":true,"Children":{"items":{"$dynamicRef":"#node"}}}}}}
            """);
        Assert.Null(Check(schema, """{"Children":[{"Data":1}]}"""));
        Assert.Equal("Children[0].Daat", Check(schema, """{"Children":[{"Daat":1}]}""")!.Path);
    }

    [Theory]
    [InlineData("""{"required":["A"]}""", "{}", "the document must have the property 'A' (required of #).")]
    [InlineData("""{"properties":{"A":{"items":{"maximum":3}}}}""", """{"A":[1,4]}""",
        "A[1] must be at most 3 (maximum of #/properties/A/items).")]
    [InlineData("""{"additionalProperties":false}""", """{"B":1}""",
        "B is a property that is not allowed (additionalProperties of #).")]
    [InlineData("""{"properties":{"A":{"type":["string","null"]}}}""", """{"A":1}""",
        "A must be null or string (type of #/properties/A).")]
    [InlineData("""{"properties":{"A":{"enum":["x",1]}}}""", """{"A":1.5}""",
        "A must be one of \"x\", 1 (enum of #/properties/A).")]
    public void A_violation_says_where_and_why(string schema, string document, string says) =>
        Assert.Equal(says, Check(SchemaCompiler.Compile(schema), document)!.Describe());

    [Fact]
    [Trait("Invariant", "SCHEMA-1")]
    public void A_schema_made_to_explode_is_bounded()
    {
        StringBuilder defs = new();
        for (int i = 0; i < 40; i++)
        {
            string next = $$"""{"$ref":"#/$defs/d{{(i + 1).ToString(CultureInfo.InvariantCulture)}}"}""";
            defs.Append(CultureInfo.InvariantCulture, $"\"d{i}\":{{\"allOf\":[{next},{next}]}},");
        }

        Assert.Contains(
            "more than 64 parts",
            Assert.Throws<FormatException>(() => SchemaCompiler.Compile(
                $$"""{"$ref":"#/$defs/d0","$defs":{{{defs}}"d40":true} }""")).Message,
            StringComparison.Ordinal);
        string shorter = defs.ToString().Replace("\"#/$defs/d26\"", "\"#/$defs/d40\"", StringComparison.Ordinal);
        SchemaNode schema = SchemaCompiler.Compile(
            $$"""{"$ref":"#/$defs/d0","$defs":{{{shorter}}"d40":{"not":false} } }""");
        Assert.Equal("limit", Check(schema, "{}")!.Keyword);
        Assert.Equal("limit", Check(SchemaCompiler.Compile(
            $$"""{"not":{"$ref":"#/$defs/d0"},"$defs":{{{shorter}}"d40":{"not":false} } }"""), "{}")!.Keyword);
    }

    [Theory]
    [InlineData("^(a+)+$")]
    [InlineData("^(a|a)*$")]
    [InlineData("^(?=(a+)+$)")]
    [InlineData("^(a*)*\\\\1b$")]
    [Trait("Invariant", "SCHEMA-1")]
    public void A_pattern_made_to_explode_ends(string pattern)
    {
        SchemaNode schema = SchemaCompiler.Compile($$"""{"properties":{"V":{"pattern":"{{pattern}}"} } }""");
        Assert.Equal("pattern", Check(schema, $$"""{"V":"{{new string('a', 40)}}!"}""")!.Keyword);
    }

    [Fact]
    [Trait("Invariant", "SCHEMA-1")]
    public void A_document_that_nests_deep_is_judged_or_refused()
    {
        SchemaNode schema = SchemaCompiler.Compile(
            """{"properties":{"A":{"allOf":[{"allOf":[{"anyOf":[{"$ref":"#"}]}]}]}},"unevaluatedProperties":false}""");
        string document = string.Concat(Enumerable.Repeat("{\"A\":", 120)) + "{}" + new string('}', 120);
        Assert.Null(Check(schema, document));
    }

    [Fact]
    public void A_valid_document_costs_no_memory()
    {
        SchemaNode schema = SchemaCompiler.Compile(
            """
            {"type":"object","required":["Name","Age"],"additionalProperties":false,"properties":{
             "Name":{"type":"string","minLength":1,"maxLength":50},
             "Age":{"type":"integer","minimum":0},
             "Kind":{"enum":["a","b"]},"Tags":{"type":"array","items":{"type":"string"},"maxItems":5}}}
            """);
        BlittableObject document = Parse("""{"Name":"Ann","Age":40,"Kind":"b","Tags":["x","y"],"@metadata":{}}""");
        SchemaRun run = new();
        Assert.Null(run.Check(schema, document));
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                run.Check(schema, document);
            }
        }));
    }

    private SchemaViolation? Check(SchemaNode schema, string document) =>
        SchemaRun.OfThread.Check(schema, Parse(document));

    private BlittableObject Parse(string json)
    {
        _context.Reset();
        Assert.True(
            _context.Parser.TryParse(
                Encoding.UTF8.GetBytes(json), BlittableMode.ToDisk, out BlittableObject document, out JsonError error),
            error.Reason);
        return document;
    }
}
