using Raven.Scripting.Library;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.HostFunctions;

/// <summary>Functions that scripts of document databases usually have: distances, and tests of texts.</summary>
internal static class HostHelpers
{
    private const double EarthRadiusKilometres = 6371.0088;
    private const double KilometresPerMile = 1.609344;

    internal static void Build(RealmBuilder builder)
    {
        JsObject spatial = builder.NewPrototype();
        builder.DefineGlobal("spatial", new JsValue(spatial));
        builder.Method(spatial, "distance", 5, (run, _, a) =>
        {
            Span<double> angles = stackalloc double[4];
            for (int i = 0; i < angles.Length; i++)
            {
                angles[i] = Operations.ToNumber(run, a.At(i)) * Math.PI / 180;
            }

            double kilometres = Distance(angles[0], angles[1], angles[2], angles[3]);
            string unit = a.At(4).IsUndefined ? "kilometers" : Operations.ToText(run, a.At(4));
            return new JsValue(unit.StartsWith("mile", StringComparison.OrdinalIgnoreCase)
                ? kilometres / KilometresPerMile : kilometres);
        });
        HostLibrary.Function(builder, "startsWith", 2, (run, _, a) => JsValue.Of(
            Text(run, a.At(0)).StartsWith(Text(run, a.At(1)), StringComparison.OrdinalIgnoreCase)));
        HostLibrary.Function(builder, "endsWith", 2, (run, _, a) => JsValue.Of(
            Text(run, a.At(0)).EndsWith(Text(run, a.At(1)), StringComparison.OrdinalIgnoreCase)));
        HostLibrary.Function(builder, "regex", 2, (run, _, a) =>
        {
            string text = Text(run, a.At(0));
            JsRegExp pattern = RegExpLibrary.Make(run, a.At(1), JsValue.Undefined);
            return JsValue.Of(pattern.Find(run, text, 0).Success);
        });
    }

    private static string Text(Run run, JsValue value)
    {
        string text = value.IsNullish ? "" : Operations.ToText(run, value);
        run.ChargeText(text.Length);
        return text;
    }

    /// <summary>The great circle by the haversine formula, from angles in radians.</summary>
    private static double Distance(double latitude1, double longitude1, double latitude2, double longitude2)
    {
        double sinLatitude = Math.Sin((latitude2 - latitude1) / 2);
        double sinLongitude = Math.Sin((longitude2 - longitude1) / 2);
        double h = (sinLatitude * sinLatitude)
            + (Math.Cos(latitude1) * Math.Cos(latitude2) * sinLongitude * sinLongitude);
        return 2 * EarthRadiusKilometres * Math.Asin(Math.Min(1, Math.Sqrt(h)));
    }
}
