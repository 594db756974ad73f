; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 8954035d23e489069ee7074c1185226e1d40db4ad8678bae6d1a94a71bf09f29

%struct.Pair = type { i64, i64 }

define void @sort_lines(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %14 = getelementptr inbounds i64, ptr %13, i64 %12
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = getelementptr inbounds ptr, ptr %15, i64 %12
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = icmp ne i64 %18, 0
  %20 = zext i1 %19 to i64
  %21 = add i64 %6, 7
  %22 = sdiv i64 %21, 8
  %23 = shl nsw i64 %22, 3
  %24 = getelementptr ptr, ptr %16, i64 %12
  %25 = getelementptr ptr, ptr %24, i64 %20
  %26 = load ptr, ptr %25, align 8
  %27 = shl i64 %3, 5
  %28 = mul i64 %27, %23
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %31 = load i64, ptr %30, align 8
  %32 = icmp ne i64 %31, 0
  %33 = sext i1 %32 to i64
  %34 = icmp slt i64 %1, %2
  br i1 %34, label %35, label %57

35:
  %36 = mul i64 %8, %6
  %37 = mul i64 %10, %8
  %38 = getelementptr inbounds i64, ptr %29, i64 %23
  %39 = shl i64 %22, 7
  %40 = getelementptr inbounds i8, ptr %29, i64 %39
  %41 = mul i64 %22, 192
  %42 = getelementptr inbounds i8, ptr %29, i64 %41
  %43 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %44 = icmp slt i64 %10, 17
  %45 = icmp slt i64 %10, %6
  %46 = icmp sgt i64 %6, 0
  %47 = icmp sgt i64 %6, 32
  %48 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %49 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %50 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %51 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %52 = getelementptr i64, ptr %29, i64 %10
  %53 = getelementptr i8, ptr %52, i64 -8
  %54 = add i64 %10, -1
  %55 = icmp sgt i64 %12, 0
  %56 = icmp sgt i64 %10, 0
  br label %58

57:
  ret void

58:
  %59 = phi i64 [ %1, %35 ], [ %577, %576 ]
  %60 = sdiv i64 %59, %8
  %61 = srem i64 %59, %8
  %62 = mul i64 %36, %60
  %63 = add i64 %62, %61
  %64 = mul i64 %37, %60
  %65 = add i64 %64, %61
  %66 = load i64, ptr %43, align 8
  %67 = icmp eq i64 %66, 1
  %68 = select i1 %67, i1 %44, i1 false
  %69 = select i1 %68, i1 %45, i1 false
  br i1 %69, label %71, label %70

70:
  br i1 %46, label %194, label %187

71:
  %72 = load i64, ptr %14, align 8
  %73 = getelementptr inbounds i64, ptr %13, i64 %72
  %74 = load i64, ptr %73, align 8
  %75 = getelementptr inbounds ptr, ptr %15, i64 %72
  %76 = load ptr, ptr %75, align 8
  %77 = mul i64 %74, %63
  %78 = getelementptr inbounds i8, ptr %76, i64 %77
  %79 = mul i64 %74, %8
  br i1 %46, label %80, label %471

80:
  %81 = phi i64 [ %182, %181 ], [ 0, %71 ]
  %82 = phi i64 [ %183, %181 ], [ 0, %71 ]
  %83 = mul i64 %79, %82
  %84 = getelementptr inbounds i8, ptr %78, i64 %83
  %85 = load i64, ptr %48, align 8
  %86 = getelementptr inbounds i8, ptr %84, i64 %85
  %87 = load i64, ptr %49, align 8
  switch i64 %87, label %96 [
    i64 4, label %88
    i64 8, label %91
    i64 2, label %93
  ]

88:
  %89 = load i32, ptr %86, align 4
  %90 = zext i32 %89 to i64
  br label %99

91:
  %92 = load i64, ptr %86, align 8
  br label %99

93:
  %94 = load i16, ptr %86, align 2
  %95 = zext i16 %94 to i64
  br label %99

96:
  %97 = load i8, ptr %86, align 1
  %98 = zext i8 %97 to i64
  br label %99

99:
  %100 = phi i64 [ %90, %88 ], [ %92, %91 ], [ %95, %93 ], [ %98, %96 ]
  %101 = shl i64 %87, 3
  %102 = add i64 %101, -1
  %103 = shl nuw i64 1, %102
  %104 = load i64, ptr %50, align 8
  switch i64 %104, label %112 [
    i64 1, label %105
    i64 0, label %109
  ]

105:
  %106 = icmp eq i64 %87, 8
  %107 = select i1 %106, i64 -9223372036854775808, i64 0
  %108 = xor i64 %100, %107
  br label %152

109:
  %110 = xor i64 %100, %103
  %111 = sub i64 %110, %103
  br label %152

112:
  %113 = xor i64 %103, -1
  %114 = and i64 %100, %113
  %115 = load i64, ptr %51, align 8
  %116 = icmp sgt i64 %114, %115
  %117 = and i64 %100, %103
  %118 = icmp eq i64 %117, 0
  %119 = sub i64 0, %114
  %120 = select i1 %118, i64 %114, i64 %119
  %121 = select i1 %116, i64 9223372036854775807, i64 %120
  %122 = icmp eq i64 %104, 2
  %123 = icmp eq i64 %121, 9223372036854775807
  %124 = zext i1 %123 to i64
  %125 = select i1 %122, i64 %121, i64 %124
  %126 = icmp eq i64 %104, 3
  br i1 %126, label %127, label %152

127:
  %128 = getelementptr inbounds i8, ptr %86, i64 %87
  switch i64 %87, label %137 [
    i64 4, label %129
    i64 8, label %132
    i64 2, label %134
  ]

129:
  %130 = load i32, ptr %128, align 4
  %131 = zext i32 %130 to i64
  br label %140

132:
  %133 = load i64, ptr %128, align 8
  br label %140

134:
  %135 = load i16, ptr %128, align 2
  %136 = zext i16 %135 to i64
  br label %140

137:
  %138 = load i8, ptr %128, align 1
  %139 = zext i8 %138 to i64
  br label %140

140:
  %141 = phi i64 [ %131, %129 ], [ %133, %132 ], [ %136, %134 ], [ %139, %137 ]
  %142 = and i64 %141, %113
  %143 = icmp sgt i64 %142, %115
  %144 = and i64 %141, %103
  %145 = icmp eq i64 %144, 0
  %146 = sub i64 0, %142
  %147 = select i1 %145, i64 %142, i64 %146
  %148 = icmp eq i64 %147, 9223372036854775807
  %149 = select i1 %143, i1 true, i1 %148
  %150 = or i1 %123, %149
  %151 = zext i1 %150 to i64
  br label %152

152:
  %153 = phi i64 [ %151, %140 ], [ %125, %112 ], [ %111, %109 ], [ %108, %105 ]
  %154 = xor i64 %153, %33
  %155 = icmp eq i64 %81, %10
  br i1 %155, label %156, label %159

156:
  %157 = load i64, ptr %53, align 8
  %158 = icmp slt i64 %154, %157
  br i1 %158, label %159, label %181

159:
  %160 = icmp slt i64 %81, %10
  %161 = zext i1 %160 to i64
  %162 = add nsw i64 %81, %161
  %163 = select i1 %160, i64 %81, i64 %54
  %164 = icmp sgt i64 %163, 0
  br i1 %164, label %165, label %177

165:
  %166 = phi i64 [ %167, %171 ], [ %163, %159 ]
  %167 = add nsw i64 %166, -1
  %168 = getelementptr inbounds nuw i64, ptr %29, i64 %167
  %169 = load i64, ptr %168, align 8
  %170 = icmp sgt i64 %169, %154
  br i1 %170, label %171, label %177

171:
  %172 = getelementptr inbounds nuw i64, ptr %29, i64 %166
  store i64 %169, ptr %172, align 8
  %173 = getelementptr inbounds nuw i64, ptr %38, i64 %167
  %174 = load i64, ptr %173, align 8
  %175 = getelementptr inbounds nuw i64, ptr %38, i64 %166
  store i64 %174, ptr %175, align 8
  %176 = icmp samesign ugt i64 %166, 1
  br i1 %176, label %165, label %177

177:
  %178 = phi i64 [ %163, %159 ], [ %166, %165 ], [ 0, %171 ]
  %179 = getelementptr inbounds i64, ptr %29, i64 %178
  store i64 %154, ptr %179, align 8
  %180 = getelementptr inbounds i64, ptr %38, i64 %178
  store i64 %82, ptr %180, align 8
  br label %181

181:
  %182 = phi i64 [ %162, %177 ], [ %10, %156 ]
  %183 = add nuw nsw i64 %82, 1
  %184 = icmp eq i64 %183, %6
  br i1 %184, label %471, label %80

185:
  %186 = load i64, ptr %43, align 8
  br label %187

187:
  %188 = phi i64 [ %186, %185 ], [ %66, %70 ]
  %189 = icmp slt i64 %188, 1
  br i1 %189, label %471, label %190

190:
  %191 = mul nuw nsw i64 %188, 40
  %192 = getelementptr inbounds nuw i8, ptr %14, i64 %191
  %193 = getelementptr inbounds i8, ptr %192, i64 -40
  br label %199

194:
  %195 = phi i64 [ %197, %194 ], [ 0, %70 ]
  %196 = getelementptr inbounds nuw i64, ptr %38, i64 %195
  store i64 %195, ptr %196, align 8
  %197 = add nuw nsw i64 %195, 1
  %198 = icmp eq i64 %197, %6
  br i1 %198, label %185, label %194

199:
  %200 = phi ptr [ %390, %388 ], [ %193, %190 ]
  %201 = phi ptr [ %200, %388 ], [ %192, %190 ]
  %202 = phi ptr [ %389, %388 ], [ %38, %190 ]
  %203 = load i64, ptr %200, align 8
  %204 = getelementptr inbounds i64, ptr %13, i64 %203
  %205 = load i64, ptr %204, align 8
  %206 = getelementptr inbounds ptr, ptr %15, i64 %203
  %207 = load ptr, ptr %206, align 8
  %208 = mul i64 %205, %63
  %209 = getelementptr inbounds i8, ptr %207, i64 %208
  br i1 %46, label %213, label %210

210:
  %211 = icmp eq ptr %202, %38
  %212 = select i1 %211, ptr %42, ptr %38
  br label %388

213:
  %214 = mul i64 %205, %8
  %215 = getelementptr inbounds i8, ptr %201, i64 -16
  %216 = getelementptr inbounds i8, ptr %201, i64 -24
  %217 = getelementptr inbounds i8, ptr %201, i64 -32
  %218 = getelementptr inbounds i8, ptr %201, i64 -8
  br label %392

219:
  %220 = icmp eq ptr %202, %38
  %221 = select i1 %220, ptr %42, ptr %38
  br label %223

222:
  br i1 %47, label %311, label %388

223:
  %224 = phi i64 [ %309, %308 ], [ 0, %219 ]
  %225 = getelementptr inbounds nuw i64, ptr %29, i64 %224
  %226 = getelementptr inbounds nuw i64, ptr %202, i64 %224
  %227 = sub nsw i64 %6, %224
  %228 = tail call i64 @llvm.smin.i64(i64 %227, i64 32)
  %229 = getelementptr inbounds nuw i64, ptr %40, i64 %224
  %230 = getelementptr inbounds nuw i64, ptr %221, i64 %224
  %231 = icmp sgt i64 %227, 0
  br i1 %231, label %232, label %308

232:
  %233 = phi i64 [ %297, %296 ], [ 8, %223 ]
  %234 = phi i64 [ %238, %296 ], [ 0, %223 ]
  %235 = tail call i64 @llvm.smin.i64(i64 %228, i64 %233)
  %236 = getelementptr inbounds nuw i64, ptr %225, i64 %234
  %237 = load <8 x i64>, ptr %236, align 64
  %238 = add nuw nsw i64 %234, 8
  %239 = tail call i64 @llvm.smin.i64(i64 %238, i64 %228)
  %240 = icmp eq i64 %234, 0
  br i1 %240, label %241, label %244

241:
  %242 = phi <8 x i64> [ zeroinitializer, %232 ], [ %253, %244 ]
  %243 = icmp sgt i64 %228, %234
  br i1 %243, label %259, label %256

244:
  %245 = phi <8 x i64> [ %253, %244 ], [ zeroinitializer, %232 ]
  %246 = phi i64 [ %254, %244 ], [ 0, %232 ]
  %247 = getelementptr inbounds nuw i64, ptr %225, i64 %246
  %248 = load i64, ptr %247, align 8
  %249 = insertelement <8 x i64> poison, i64 %248, i64 0
  %250 = shufflevector <8 x i64> %249, <8 x i64> poison, <8 x i32> zeroinitializer
  %251 = icmp sle <8 x i64> %250, %237
  %252 = zext <8 x i1> %251 to <8 x i64>
  %253 = add <8 x i64> %245, %252
  %254 = add nuw nsw i64 %246, 1
  %255 = icmp eq i64 %254, %234
  br i1 %255, label %241, label %244

256:
  %257 = phi <8 x i64> [ %242, %241 ], [ %275, %259 ]
  %258 = icmp slt i64 %238, %228
  br i1 %258, label %280, label %278

259:
  %260 = phi <8 x i64> [ %275, %259 ], [ %242, %241 ]
  %261 = phi i64 [ %276, %259 ], [ %234, %241 ]
  %262 = getelementptr inbounds nuw i64, ptr %225, i64 %261
  %263 = load i64, ptr %262, align 8
  %264 = insertelement <8 x i64> poison, i64 %263, i64 0
  %265 = shufflevector <8 x i64> %264, <8 x i64> poison, <8 x i32> zeroinitializer
  %266 = icmp slt <8 x i64> %265, %237
  %267 = icmp eq <8 x i64> %265, %237
  %268 = sub nuw nsw i64 %261, %234
  %269 = insertelement <8 x i64> poison, i64 %268, i64 0
  %270 = shufflevector <8 x i64> %269, <8 x i64> poison, <8 x i32> zeroinitializer
  %271 = icmp samesign ult <8 x i64> %270, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %272 = and <8 x i1> %271, %267
  %273 = or <8 x i1> %266, %272
  %274 = zext <8 x i1> %273 to <8 x i64>
  %275 = add <8 x i64> %260, %274
  %276 = add nuw nsw i64 %261, 1
  %277 = icmp eq i64 %276, %235
  br i1 %277, label %256, label %259

278:
  %279 = phi <8 x i64> [ %257, %256 ], [ %289, %280 ]
  br label %292

280:
  %281 = phi i64 [ %290, %280 ], [ %239, %256 ]
  %282 = phi <8 x i64> [ %289, %280 ], [ %257, %256 ]
  %283 = getelementptr inbounds nuw i64, ptr %225, i64 %281
  %284 = load i64, ptr %283, align 8
  %285 = insertelement <8 x i64> poison, i64 %284, i64 0
  %286 = shufflevector <8 x i64> %285, <8 x i64> poison, <8 x i32> zeroinitializer
  %287 = icmp slt <8 x i64> %286, %237
  %288 = zext <8 x i1> %287 to <8 x i64>
  %289 = add <8 x i64> %282, %288
  %290 = add nuw nsw i64 %281, 1
  %291 = icmp slt i64 %290, %228
  br i1 %291, label %280, label %278

292:
  %293 = phi i64 [ 0, %278 ], [ %306, %298 ]
  %294 = or disjoint i64 %293, %234
  %295 = icmp slt i64 %294, %228
  br i1 %295, label %298, label %296

296:
  %297 = add nuw nsw i64 %233, 8
  br i1 %258, label %232, label %308

298:
  %299 = getelementptr inbounds nuw i64, ptr %225, i64 %294
  %300 = load i64, ptr %299, align 8
  %301 = extractelement <8 x i64> %279, i64 %293
  %302 = getelementptr inbounds i64, ptr %229, i64 %301
  store i64 %300, ptr %302, align 8
  %303 = getelementptr inbounds nuw i64, ptr %226, i64 %294
  %304 = load i64, ptr %303, align 8
  %305 = getelementptr inbounds i64, ptr %230, i64 %301
  store i64 %304, ptr %305, align 8
  %306 = add nuw nsw i64 %293, 1
  %307 = icmp eq i64 %306, 8
  br i1 %307, label %296, label %292

308:
  %309 = add nuw nsw i64 %224, 32
  %310 = icmp slt i64 %309, %6
  br i1 %310, label %223, label %222

311:
  %312 = phi ptr [ %315, %318 ], [ %29, %222 ]
  %313 = phi ptr [ %316, %318 ], [ %202, %222 ]
  %314 = phi i64 [ %317, %318 ], [ 32, %222 ]
  %315 = phi ptr [ %312, %318 ], [ %40, %222 ]
  %316 = phi ptr [ %313, %318 ], [ %221, %222 ]
  %317 = shl i64 %314, 1
  br label %320

318:
  %319 = icmp slt i64 %317, %6
  br i1 %319, label %311, label %388

320:
  %321 = phi i64 [ 0, %311 ], [ %324, %386 ]
  %322 = add i64 %321, %314
  %323 = tail call i64 @llvm.smin.i64(i64 %322, i64 %6)
  %324 = add i64 %321, %317
  %325 = tail call i64 @llvm.smin.i64(i64 %324, i64 %6)
  %326 = icmp sgt i64 %322, %321
  %327 = icmp slt i64 %322, %325
  %328 = and i1 %326, %327
  br i1 %328, label %334, label %329

329:
  %330 = phi i64 [ %321, %320 ], [ %350, %334 ]
  %331 = phi i64 [ %323, %320 ], [ %352, %334 ]
  %332 = phi i64 [ %321, %320 ], [ %355, %334 ]
  %333 = icmp slt i64 %332, %323
  br i1 %333, label %362, label %359

334:
  %335 = phi i64 [ %355, %334 ], [ %321, %320 ]
  %336 = phi i64 [ %352, %334 ], [ %323, %320 ]
  %337 = phi i64 [ %350, %334 ], [ %321, %320 ]
  %338 = getelementptr inbounds i64, ptr %315, i64 %336
  %339 = load i64, ptr %338, align 8
  %340 = getelementptr inbounds i64, ptr %315, i64 %335
  %341 = load i64, ptr %340, align 8
  %342 = icmp slt i64 %339, %341
  %343 = zext i1 %342 to i64
  %344 = select i1 %342, i64 %336, i64 %335
  %345 = getelementptr inbounds i64, ptr %315, i64 %344
  %346 = load i64, ptr %345, align 8
  %347 = getelementptr inbounds i64, ptr %312, i64 %337
  store i64 %346, ptr %347, align 8
  %348 = getelementptr inbounds i64, ptr %316, i64 %344
  %349 = load i64, ptr %348, align 8
  %350 = add i64 %337, 1
  %351 = getelementptr inbounds i64, ptr %313, i64 %337
  store i64 %349, ptr %351, align 8
  %352 = add nsw i64 %336, %343
  %353 = xor i1 %342, true
  %354 = zext i1 %353 to i64
  %355 = add nsw i64 %335, %354
  %356 = icmp slt i64 %355, %323
  %357 = icmp slt i64 %352, %325
  %358 = select i1 %356, i1 %357, i1 false
  br i1 %358, label %334, label %329

359:
  %360 = phi i64 [ %330, %329 ], [ %372, %362 ]
  %361 = icmp slt i64 %331, %325
  br i1 %361, label %374, label %386

362:
  %363 = phi i64 [ %371, %362 ], [ %332, %329 ]
  %364 = phi i64 [ %372, %362 ], [ %330, %329 ]
  %365 = getelementptr inbounds i64, ptr %315, i64 %363
  %366 = load i64, ptr %365, align 8
  %367 = getelementptr inbounds i64, ptr %312, i64 %364
  store i64 %366, ptr %367, align 8
  %368 = getelementptr inbounds i64, ptr %316, i64 %363
  %369 = load i64, ptr %368, align 8
  %370 = getelementptr inbounds i64, ptr %313, i64 %364
  store i64 %369, ptr %370, align 8
  %371 = add nsw i64 %363, 1
  %372 = add i64 %364, 1
  %373 = icmp eq i64 %371, %323
  br i1 %373, label %359, label %362

374:
  %375 = phi i64 [ %383, %374 ], [ %331, %359 ]
  %376 = phi i64 [ %384, %374 ], [ %360, %359 ]
  %377 = getelementptr inbounds i64, ptr %315, i64 %375
  %378 = load i64, ptr %377, align 8
  %379 = getelementptr inbounds i64, ptr %312, i64 %376
  store i64 %378, ptr %379, align 8
  %380 = getelementptr inbounds i64, ptr %316, i64 %375
  %381 = load i64, ptr %380, align 8
  %382 = getelementptr inbounds i64, ptr %313, i64 %376
  store i64 %381, ptr %382, align 8
  %383 = add nsw i64 %375, 1
  %384 = add i64 %376, 1
  %385 = icmp eq i64 %383, %325
  br i1 %385, label %386, label %374

386:
  %387 = icmp slt i64 %324, %6
  br i1 %387, label %320, label %318

388:
  %389 = phi ptr [ %221, %222 ], [ %212, %210 ], [ %313, %318 ]
  %390 = getelementptr inbounds i8, ptr %200, i64 -40
  %391 = icmp ult ptr %390, %14
  br i1 %391, label %471, label %199

392:
  %393 = phi i64 [ 0, %213 ], [ %469, %465 ]
  %394 = getelementptr inbounds nuw i64, ptr %202, i64 %393
  %395 = load i64, ptr %394, align 8
  %396 = mul i64 %214, %395
  %397 = getelementptr inbounds i8, ptr %209, i64 %396
  %398 = load i64, ptr %215, align 8
  %399 = getelementptr inbounds i8, ptr %397, i64 %398
  %400 = load i64, ptr %216, align 8
  switch i64 %400, label %409 [
    i64 4, label %401
    i64 8, label %404
    i64 2, label %406
  ]

401:
  %402 = load i32, ptr %399, align 4
  %403 = zext i32 %402 to i64
  br label %412

404:
  %405 = load i64, ptr %399, align 8
  br label %412

406:
  %407 = load i16, ptr %399, align 2
  %408 = zext i16 %407 to i64
  br label %412

409:
  %410 = load i8, ptr %399, align 1
  %411 = zext i8 %410 to i64
  br label %412

412:
  %413 = phi i64 [ %403, %401 ], [ %405, %404 ], [ %408, %406 ], [ %411, %409 ]
  %414 = shl i64 %400, 3
  %415 = add i64 %414, -1
  %416 = shl nuw i64 1, %415
  %417 = load i64, ptr %217, align 8
  switch i64 %417, label %425 [
    i64 1, label %418
    i64 0, label %422
  ]

418:
  %419 = icmp eq i64 %400, 8
  %420 = select i1 %419, i64 -9223372036854775808, i64 0
  %421 = xor i64 %413, %420
  br label %465

422:
  %423 = xor i64 %413, %416
  %424 = sub i64 %423, %416
  br label %465

425:
  %426 = xor i64 %416, -1
  %427 = and i64 %413, %426
  %428 = load i64, ptr %218, align 8
  %429 = icmp sgt i64 %427, %428
  %430 = and i64 %413, %416
  %431 = icmp eq i64 %430, 0
  %432 = sub i64 0, %427
  %433 = select i1 %431, i64 %427, i64 %432
  %434 = select i1 %429, i64 9223372036854775807, i64 %433
  %435 = icmp eq i64 %417, 2
  %436 = icmp eq i64 %434, 9223372036854775807
  %437 = zext i1 %436 to i64
  %438 = select i1 %435, i64 %434, i64 %437
  %439 = icmp eq i64 %417, 3
  br i1 %439, label %440, label %465

440:
  %441 = getelementptr inbounds i8, ptr %399, i64 %400
  switch i64 %400, label %450 [
    i64 4, label %442
    i64 8, label %445
    i64 2, label %447
  ]

442:
  %443 = load i32, ptr %441, align 4
  %444 = zext i32 %443 to i64
  br label %453

445:
  %446 = load i64, ptr %441, align 8
  br label %453

447:
  %448 = load i16, ptr %441, align 2
  %449 = zext i16 %448 to i64
  br label %453

450:
  %451 = load i8, ptr %441, align 1
  %452 = zext i8 %451 to i64
  br label %453

453:
  %454 = phi i64 [ %444, %442 ], [ %446, %445 ], [ %449, %447 ], [ %452, %450 ]
  %455 = and i64 %454, %426
  %456 = icmp sgt i64 %455, %428
  %457 = and i64 %454, %416
  %458 = icmp eq i64 %457, 0
  %459 = sub i64 0, %455
  %460 = select i1 %458, i64 %455, i64 %459
  %461 = icmp eq i64 %460, 9223372036854775807
  %462 = select i1 %456, i1 true, i1 %461
  %463 = or i1 %436, %462
  %464 = zext i1 %463 to i64
  br label %465

465:
  %466 = phi i64 [ %464, %453 ], [ %438, %425 ], [ %424, %422 ], [ %421, %418 ]
  %467 = xor i64 %466, %33
  %468 = getelementptr inbounds nuw i64, ptr %29, i64 %393
  store i64 %467, ptr %468, align 8
  %469 = add nuw nsw i64 %393, 1
  %470 = icmp eq i64 %469, %6
  br i1 %470, label %219, label %392

471:
  %472 = phi ptr [ %38, %181 ], [ %38, %71 ], [ %38, %187 ], [ %389, %388 ]
  br i1 %55, label %476, label %473

473:
  %474 = load i64, ptr %17, align 8
  %475 = icmp eq i64 %474, 0
  br i1 %475, label %576, label %554

476:
  %477 = phi i64 [ %552, %551 ], [ 0, %471 ]
  %478 = getelementptr inbounds nuw ptr, ptr %15, i64 %477
  %479 = load ptr, ptr %478, align 8
  %480 = getelementptr inbounds nuw i64, ptr %13, i64 %477
  %481 = load i64, ptr %480, align 8
  %482 = mul i64 %481, %63
  %483 = getelementptr inbounds i8, ptr %479, i64 %482
  %484 = getelementptr inbounds nuw ptr, ptr %16, i64 %477
  %485 = load ptr, ptr %484, align 8
  %486 = mul i64 %481, %65
  %487 = getelementptr inbounds i8, ptr %485, i64 %486
  %488 = tail call i64 @llvm.ctpop.i64(i64 %481)
  %489 = icmp eq i64 %488, 1
  br i1 %489, label %491, label %490

490:
  br i1 %56, label %541, label %551

491:
  %492 = tail call i64 @llvm.cttz.i64(i64 %481, i1 true)
  switch i64 %492, label %490 [
    i64 2, label %496
    i64 3, label %495
    i64 1, label %494
    i64 0, label %493
  ]

493:
  br i1 %56, label %530, label %551

494:
  br i1 %56, label %519, label %551

495:
  br i1 %56, label %508, label %551

496:
  br i1 %56, label %497, label %551

497:
  %498 = phi i64 [ %506, %497 ], [ 0, %496 ]
  %499 = getelementptr inbounds nuw i64, ptr %472, i64 %498
  %500 = load i64, ptr %499, align 8
  %501 = mul i64 %500, %8
  %502 = getelementptr inbounds i32, ptr %483, i64 %501
  %503 = load i32, ptr %502, align 4
  %504 = mul i64 %498, %8
  %505 = getelementptr inbounds i32, ptr %487, i64 %504
  store i32 %503, ptr %505, align 4
  %506 = add nuw nsw i64 %498, 1
  %507 = icmp eq i64 %506, %10
  br i1 %507, label %551, label %497

508:
  %509 = phi i64 [ %517, %508 ], [ 0, %495 ]
  %510 = getelementptr inbounds nuw i64, ptr %472, i64 %509
  %511 = load i64, ptr %510, align 8
  %512 = mul i64 %511, %8
  %513 = getelementptr inbounds i64, ptr %483, i64 %512
  %514 = load i64, ptr %513, align 8
  %515 = mul i64 %509, %8
  %516 = getelementptr inbounds i64, ptr %487, i64 %515
  store i64 %514, ptr %516, align 8
  %517 = add nuw nsw i64 %509, 1
  %518 = icmp eq i64 %517, %10
  br i1 %518, label %551, label %508

519:
  %520 = phi i64 [ %528, %519 ], [ 0, %494 ]
  %521 = getelementptr inbounds nuw i64, ptr %472, i64 %520
  %522 = load i64, ptr %521, align 8
  %523 = mul i64 %522, %8
  %524 = getelementptr inbounds i16, ptr %483, i64 %523
  %525 = load i16, ptr %524, align 2
  %526 = mul i64 %520, %8
  %527 = getelementptr inbounds i16, ptr %487, i64 %526
  store i16 %525, ptr %527, align 2
  %528 = add nuw nsw i64 %520, 1
  %529 = icmp eq i64 %528, %10
  br i1 %529, label %551, label %519

530:
  %531 = phi i64 [ %539, %530 ], [ 0, %493 ]
  %532 = getelementptr inbounds nuw i64, ptr %472, i64 %531
  %533 = load i64, ptr %532, align 8
  %534 = mul i64 %533, %8
  %535 = getelementptr inbounds i8, ptr %483, i64 %534
  %536 = load i8, ptr %535, align 1
  %537 = mul i64 %531, %8
  %538 = getelementptr inbounds i8, ptr %487, i64 %537
  store i8 %536, ptr %538, align 1
  %539 = add nuw nsw i64 %531, 1
  %540 = icmp eq i64 %539, %10
  br i1 %540, label %551, label %530

541:
  %542 = phi i64 [ %549, %541 ], [ 0, %490 ]
  %543 = mul i64 %542, %8
  %544 = getelementptr inbounds %struct.Pair, ptr %487, i64 %543
  %545 = getelementptr inbounds nuw i64, ptr %472, i64 %542
  %546 = load i64, ptr %545, align 8
  %547 = mul i64 %546, %8
  %548 = getelementptr inbounds %struct.Pair, ptr %483, i64 %547
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %544, ptr align 8 %548, i64 16, i1 false)
  %549 = add nuw nsw i64 %542, 1
  %550 = icmp eq i64 %549, %10
  br i1 %550, label %551, label %541

551:
  %552 = add nuw nsw i64 %477, 1
  %553 = icmp eq i64 %552, %12
  br i1 %553, label %473, label %476

554:
  %555 = load ptr, ptr %24, align 8
  %556 = mul i64 %474, %65
  %557 = getelementptr inbounds i8, ptr %555, i64 %556
  br i1 %56, label %558, label %576

558:
  %559 = mul i64 %474, %8
  br label %560

560:
  %561 = phi i64 [ 0, %558 ], [ %574, %573 ]
  %562 = mul i64 %559, %561
  %563 = getelementptr inbounds i8, ptr %557, i64 %562
  %564 = getelementptr inbounds nuw i64, ptr %472, i64 %561
  %565 = load i64, ptr %564, align 8
  switch i64 %474, label %571 [
    i64 4, label %566
    i64 8, label %568
    i64 2, label %569
  ]

566:
  %567 = trunc i64 %565 to i32
  store i32 %567, ptr %563, align 4
  br label %573

568:
  store i64 %565, ptr %563, align 8
  br label %573

569:
  %570 = trunc i64 %565 to i16
  store i16 %570, ptr %563, align 2
  br label %573

571:
  %572 = trunc i64 %565 to i8
  store i8 %572, ptr %563, align 1
  br label %573

573:
  %574 = add nuw nsw i64 %561, 1
  %575 = icmp eq i64 %574, %10
  br i1 %575, label %576, label %560

576:
  %577 = add nsw i64 %59, 1
  %578 = icmp eq i64 %577, %2
  br i1 %578, label %57, label %58
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare i64 @llvm.ctpop.i64(i64)

declare i64 @llvm.cttz.i64(i64, i1)

declare i64 @llvm.smin.i64(i64, i64)
