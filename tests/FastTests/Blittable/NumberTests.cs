using System.Globalization;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;

namespace FastTests.Blittable;

public sealed class NumberTests : IDisposable
{
    private readonly OperationContext _context = new();

    public void Dispose() => _context.Dispose();

    [Fact]
    public void Any_number_keeps_its_digits_and_is_the_double_that_the_runtime_reads()
    {
        Random random = new(20261121);
        Span<byte> formatted = stackalloc byte[128];
        for (int i = 0; i < 25_000; i++)
        {
            string text = Make(random);
            BlittableValue value = Documents.Parse(_context, text);
            Assert.Equal(text, Documents.ToJson(value));
            Assert.True(value.TryFormatNumber(formatted, out int written));
            Assert.Equal(text, Encoding.ASCII.GetString(formatted[..written]));
            double expected = double.Parse(text, CultureInfo.InvariantCulture);
            Assert.Equal(double.IsFinite(expected), value.TryGetDouble(out double actual));
            Assert.True(!double.IsFinite(expected) || expected.Equals(actual), text);
            bool isInteger = long.TryParse(text, NumberStyles.AllowLeadingSign, null, out long whole) && text != "-0";
            Assert.Equal(isInteger, value.TryGetInt64(out long read));
            Assert.Equal(isInteger ? whole : 0, read);
            Assert.Equal(isInteger ? ValueKind.Integer : ValueKind.Number, value.Kind);
            _context.Reset();
        }
    }

    [Theory]
    [InlineData(0.0, "0")]
    [InlineData(-0.0, "-0")]
    [InlineData(0.1, "0.1")]
    [InlineData(1e21, "1E+21")]
    [InlineData(double.MaxValue, "1.7976931348623157E+308")]
    [InlineData(double.Epsilon, "5E-324")]
    public void Doubles_are_written_in_their_shortest_form(double number, string expected)
    {
        _context.Writer.Begin(BlittableMode.ToMemory);
        _context.Writer.Number(number);
        BlittableValue value = _context.Writer.Finish();
        Documents.AssertValid(value);
        Assert.Equal(expected, Documents.ToJson(value));
        Assert.True(value.TryGetDouble(out double back));
        Assert.Equal(number, back);
    }

    [Fact]
    public void A_number_that_a_decimal_holds_is_read_exactly()
    {
        Assert.True(Documents.Parse(_context, "-12345678901234567.8").TryGetDecimal(out decimal value));
        Assert.Equal(-12345678901234567.8m, value);
        Assert.True(Documents.Parse(_context, "1234567890123456789.25").TryGetDecimal(out value));
        Assert.Equal(1234567890123456789.25m, value);
        Assert.False(Documents.Parse(_context, "1e400").TryGetDecimal(out _));
        Assert.False(Documents.Parse(_context, "\"1\"").TryGetDecimal(out _));
    }

    [Fact]
    public void A_text_or_double_that_is_no_JSON_number_is_refused_by_the_writer()
    {
        _context.Writer.Begin(BlittableMode.ToMemory);
        Assert.Throws<ArgumentException>(() => _context.Writer.Number(double.NaN));
        foreach (string text in (string[])["", "+1", "01", "1.", "1 ", " 1", "0x1", "1e", "NaN", "1\0"])
        {
            _context.Writer.Begin(BlittableMode.ToMemory);
            Assert.Throws<ArgumentException>(() => _context.Writer.NumberText(Encoding.ASCII.GetBytes(text)));
        }
    }

    private static string Make(Random random)
    {
        StringBuilder text = new(random.Next(2) == 0 ? "-" : string.Empty);
        int whole = random.Next(random.Next(2) == 0 ? 3 : 22);
        text.Append(whole == 0 ? "0" : random.Next(1, 10).ToString(CultureInfo.InvariantCulture));
        AppendDigits(text, random, whole - 1);
        if (random.Next(3) > 0)
        {
            text.Append('.');
            text.Append('0', random.Next(4) == 0 ? random.Next(20) : 0);
            AppendDigits(text, random, random.Next(1, 20));
        }

        if (random.Next(5) == 0)
        {
            string[] exponents = ["e", "E", "e+", "e-", "E+", "E-"];
            text.Append(exponents[random.Next(exponents.Length)]);
            AppendDigits(text, random, random.Next(1, 4));
        }

        return text.ToString();
    }

    private static void AppendDigits(StringBuilder text, Random random, int count)
    {
        for (int i = 0; i < count; i++)
        {
            text.Append((char)('0' + random.Next(10)));
        }
    }
}
