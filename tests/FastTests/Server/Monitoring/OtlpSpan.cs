using System.Text;

namespace FastTests.Server.Monitoring;

/// <summary>A span as a collector gets it.</summary>
internal sealed record OtlpSpan(string Name, string Trace, string Id, string Parent, string[] Tags)
{
    internal static OtlpSpan Read(List<(int Number, byte[] Bytes, ulong Value)> fields)
    {
        return new OtlpSpan(
            Encoding.UTF8.GetString(Of(5)), Convert.ToHexStringLower(Of(1)), Convert.ToHexStringLower(Of(2)),
            Convert.ToHexStringLower(Of(4)),
            [.. fields.Where(one => one.Number == 9).Select(one => TagOf(OtlpCollector.Fields(one.Bytes)))]);

        byte[] Of(int number) => fields.FirstOrDefault(one => one.Number == number).Bytes ?? [];
    }

    private static string TagOf(List<(int Number, byte[] Bytes, ulong Value)> tag)
    {
        string name = Encoding.UTF8.GetString(tag.First(one => one.Number == 1).Bytes);
        var value = OtlpCollector.Fields(tag.First(one => one.Number == 2).Bytes).FirstOrDefault();
        return $"{name}={(value.Bytes is { Length: > 0 } text ? Encoding.UTF8.GetString(text) : $"{value.Value}")}";
    }
}
