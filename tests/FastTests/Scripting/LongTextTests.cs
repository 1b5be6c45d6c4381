using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>Long texts of documents: a script that passes one on does not make a string of it.</summary>
public sealed class LongTextTests : IDisposable
{
    private static readonly ScriptEngine Engine = new(new ScriptEngineOptions { Clock = TimeProvider.System });

    /// <summary>299,988 characters that LZ4 makes few.</summary>
    private static readonly string Alphabets =
        string.Concat(Enumerable.Repeat("abcdefghijklmnopqrstuvwxyz", 11_538));

    private readonly OperationContext _context = new();
    private readonly OperationContext _target = new();

    public void Dispose()
    {
        _context.Dispose();
        _target.Dispose();
    }

    [Theory]
    [InlineData(BlittableMode.ToDisk)]
    [InlineData(BlittableMode.ToMemory)]
    [Trait("Fault", "C1")]
    public void A_long_text_that_a_script_passes_on_is_not_made_a_string(BlittableMode mode)
    {
        byte[] noise = new byte[200_000];
        new Random(26).NextBytes(noise);
        string text = Convert.ToHexString(noise);
        BlittableValue source = Parse($"{{\"t\":\"{text}\",\"o\":{{\"u\":\"{text}\"}}}}", mode);
        const string script = "const t = this.t; return { a: t, b: t || '', c: [this.o.u], d: this.o, e: t ? t : 1 };";
        CompiledScript compiled = Engine.Compile(script);
        Run(source, compiled);
        _target.Reset();
        long before = GC.GetAllocatedBytesForCurrentThread();
        BlittableValue passed = Run(source, compiled);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, text.Length / 4);
        Assert.Equal(
            $$$"""{"a":"{{{text}}}","b":"{{{text}}}","c":["{{{text}}}"],"d":{"u":"{{{text}}}"},"e":"{{{text}}}"}""",
            ToJson(passed));
    }

    [Theory]
    [InlineData("t.length", "299988")]
    [InlineData("t.slice(0, 3) + t.at(-1)", "\"abcz\"")]
    [InlineData("t === this.t && t == this.same && t !== t + 'x' && !(t < 'aaa') && !!t", "true")]
    [InlineData("(t + t).length", "599976")]
    [InlineData("[t, 'b'].join('').endsWith('yzb')", "true")]
    [InlineData("JSON.stringify({ t }).length", "299996")]
    [InlineData("new Map([[t, 5]]).get(this.same)", "5")]
    [InlineData("typeof t + `${t}`.indexOf('z')", "\"string25\"")]
    [InlineData("t.split('z').length", "11539")]
    [Trait("Fault", "C1")]
    public void A_long_text_that_a_script_reads_is_a_string_as_any_other(string script, string expected)
    {
        BlittableValue source = Parse($"{{\"t\":\"{Alphabets}\",\"same\":\"{Alphabets}\"}}", BlittableMode.ToDisk);
        CompiledScript compiled = Engine.Compile($"const t = this.t; return {{ v: {script} }};");
        Assert.Equal($"{{\"v\":{expected}}}", ToJson(Run(source, compiled)));
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_long_text_that_a_script_stores_is_compressed_and_one_that_it_sets_to_itself_is_no_change()
    {
        BlittableValue plain = Parse($"{{\"t\":\"{Alphabets}\"}}", BlittableMode.ToMemory);
        using ScriptRun run = Engine.Begin(new ScriptLimits());
        JsValue document = run.ToValue(plain);
        run.Execute(Engine.Compile("this.t = this.t; this.t.length"), document);
        Assert.False(run.IsChanged(document));
        BlittableValue written = run.Write(
            run.Execute(Engine.Compile("return { t: this.t }"), document), BlittableMode.ToDisk, _target);
        Assert.InRange(written.Memory.Length, 1, Alphabets.Length / 2);
        Assert.Equal($"{{\"t\":\"{Alphabets}\"}}", ToJson(written));
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_text_over_the_limit_of_strings_is_refused_only_if_a_script_reads_it()
    {
        BlittableValue source = Parse($"{{\"t\":\"{Alphabets}\"}}", BlittableMode.ToDisk);
        using ScriptRun run = Engine.Begin(new ScriptLimits { StringLengthMax = 200_000 });
        JsValue document = run.ToValue(source);
        run.Execute(Engine.Compile("return { t: this.t }"), document);
        ScriptException failed = Assert.Throws<ScriptException>(
            () => run.Execute(Engine.Compile("return this.t.length"), document));
        Assert.Equal(ScriptFailure.StringLength, failed.Failure);
    }

    private BlittableValue Run(BlittableValue source, CompiledScript script)
    {
        using ScriptRun run = Engine.Begin(new ScriptLimits());
        return run.Write(run.Execute(script, run.ToValue(source)), BlittableMode.ToMemory, _target);
    }

    private BlittableValue Parse(string json, BlittableMode mode)
    {
        Assert.True(_context.Parser.TryParse(
            Encoding.UTF8.GetBytes(json), mode, out BlittableObject document, out JsonError error), error.Reason);
        return document.AsValue();
    }

    private static string ToJson(BlittableValue document)
    {
        ArrayBufferWriter<byte> json = new();
        BlittableToJson.Write(document, json, JsonOutputOptions.Original);
        return Encoding.UTF8.GetString(json.WrittenSpan);
    }
}
